/** The page's colours in the form Mermaid can calculate with: it knows hexadecimal numbers, not OKLCH or variables. */

export interface DiagramColours {
  isDark: boolean;
  variables: Record<string, string>;
}

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
      pie1: accent,
      fontSize: '14px',
    },
  };
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
