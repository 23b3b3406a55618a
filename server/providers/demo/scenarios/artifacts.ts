import { call, DEMO_NOTE, type DemoPart, missingTool, quote, type Scenario, say, think } from '../turn';
import { samplePage, samplePdf, sampleStl } from './sample-files';

const FILES = [
  { name: 'octahedron.stl', title: 'A solid', content: sampleStl },
  {
    name: 'report.pdf',
    title: 'A document',
    content: () => samplePdf(['A short report', 'Made by the demo model of Navi.', 'It has one page and three lines.']),
  },
  { name: 'page.html', title: 'A page', content: samplePage },
] as const;

/** Makes a solid, a document and a page, and publishes each. */
export const artifacts: Scenario = {
  name: 'artifacts',
  matches: ({ userText }) => /\b(artifacts?|publish|viewers?|stl|3d)\b/i.test(userText),
  play(turn) {
    for (const tool of ['write_file', 'content_publish']) if (!turn.hasTool(tool)) return missingTool(tool);
    const failed = turn.results.find((result) => result.isError);
    if (failed !== undefined) return [say(`That did not work:\n\n${quote(failed)}${DEMO_NOTE}`)];
    const done = turn.results.length;
    if (done === 0) {
      return [
        think('Three files of three kinds show what a card can hold: a solid, a document and a page.'),
        say('I make three files.\n\n'),
        ...FILES.map(
          ({ name, content }): DemoPart => call('write_file', { path: `session_files/${name}`, content: content() }),
        ),
      ];
    }
    if (done === FILES.length) {
      return [
        say('Now I show them.\n\n'),
        ...FILES.map(({ name, title }) => call('content_publish', { path: `session_files/${name}`, title })),
      ];
    }
    return [
      say(
        `Three artifacts stand above: turn the **solid**, read the **document**, and let the **page** run its script if you like.${DEMO_NOTE}`,
      ),
    ];
  },
};

/** Looks at what the person attached: reads the first file, tells of images. */
export const attachments: Scenario = {
  name: 'attachments',
  matches: ({ attachments: { files, images } }) => files.length + images > 0,
  play(turn) {
    const { files, images } = turn.attachments;
    const last = turn.results.at(-1);
    const seen =
      images === 0 ? '' : `I was sent ${images === 1 ? 'an image' : `${images} images`}, which I cannot really see. `;
    const first = files[0];
    if (first === undefined) return [say(`${seen}A real model would describe them.${DEMO_NOTE}`)];
    if (last !== undefined) {
      const lead = last.isError ? 'I could not read it' : `This stands in \`${first.split('/').at(-1)}\``;
      return [say(`${seen}${lead}:\n\n${quote(last, 1200)}${DEMO_NOTE}`)];
    }
    if (!turn.hasTool('read_file')) return missingTool('read_file');
    return [think('They attached a file. I read it.'), call('read_file', { path: first })];
  },
};
