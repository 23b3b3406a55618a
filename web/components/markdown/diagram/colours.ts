/** The page's colours in the form Mermaid can calculate with: it knows hexadecimal numbers, not OKLCH or variables. */

export interface DiagramColours {
  isDark: boolean;
  variables: Record<string, string>;
}

/** Hues of areas that must be told apart, far from each other in order. */
const HUES = [225, 150, 75, 300, 25, 190, 110, 340, 50, 260, 170, 10];

/** Reads the design tokens as they are now. */
export function readColours(): DiagramColours {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, fallback: string) =>
    context ? toHex(context, style.getPropertyValue(name).trim() || fallback, fallback) : fallback;
  const background = read('--bg', '#ffffff');
  const isDark = brightness(background) < 0.5;
  const text = read('--text', isDark ? '#e6e6e6' : '#1b1b1b');
  const muted = read('--text-muted', isDark ? '#a0a0a0' : '#666666');
  const raised = read('--bg-raised', isDark ? '#26282c' : '#f6f5f2');
  const sunken = read('--bg-sunken', isDark ? '#17181a' : '#efeeea');
  const accent = read('--accent', isDark ? '#5cb3c9' : '#1d7a94');
  const lightness = isDark ? 40 : 88;
  const scale = HUES.map((hue) => (context ? toHex(context, `oklch(${lightness}% 0.07 ${hue})`, raised) : raised));
  return {
    isDark,
    variables: {
      background,
      primaryColor: raised,
      primaryTextColor: text,
      primaryBorderColor: muted,
      secondaryColor: sunken,
      tertiaryColor: sunken,
      lineColor: muted,
      textColor: text,
      mainBkg: raised,
      nodeBorder: muted,
      clusterBkg: sunken,
      clusterBorder: muted,
      edgeLabelBackground: background,
      titleColor: text,
      actorLineColor: muted,
      signalColor: text,
      signalTextColor: text,
      noteBkgColor: sunken,
      noteTextColor: text,
      noteBorderColor: muted,
      activationBkgColor: sunken,
      activationBorderColor: accent,
      labelColor: text,
      gridColor: sunken,
      pieTitleTextColor: text,
      pieSectionTextColor: text,
      pieLegendTextColor: text,
      pieStrokeColor: background,
      pieOuterStrokeColor: background,
      pieOpacity: '1',
      taskBkgColor: scale[0] ?? raised,
      taskBorderColor: muted,
      taskTextColor: text,
      taskTextDarkColor: text,
      taskTextLightColor: text,
      taskTextOutsideColor: text,
      activeTaskBkgColor: scale[1] ?? raised,
      activeTaskBorderColor: accent,
      doneTaskBkgColor: raised,
      doneTaskBorderColor: muted,
      critBkgColor: scale[4] ?? raised,
      critBorderColor: muted,
      sectionBkgColor: sunken,
      sectionBkgColor2: sunken,
      altSectionBkgColor: background,
      todayLineColor: accent,
      fontSize: '14px',
      ...nameScale(scale, text, background),
    },
  };
}

/** The scale under the many names that kinds of diagrams know it by: pies, mind maps and timelines, git graphs. */
function nameScale(scale: string[], text: string, background: string): Record<string, string> {
  const names: Record<string, string> = {};
  scale.forEach((colour, index) => {
    names[`pie${index + 1}`] = colour;
    names[`cScale${index}`] = colour;
    names[`cScaleLabel${index}`] = text;
    names[`cScaleInv${index}`] = text;
    names[`cScalePeer${index}`] = text;
    names[`git${index}`] = colour;
    names[`gitInv${index}`] = text;
    names[`gitBranchLabel${index}`] = text;
    names[`fillType${index}`] = colour;
  });
  return { ...names, commitLabelColor: text, commitLabelBackground: background, tagLabelColor: text };
}

function toHex(context: CanvasRenderingContext2D, colour: string, fallback: string): string {
  context.canvas.width = 1;
  context.canvas.height = 1;
  context.fillStyle = fallback;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
