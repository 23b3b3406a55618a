import sharp from 'sharp';
import { expect, it } from 'vitest';
import { samplePdf } from '../../providers/demo/scenarios/sample-files';
import { detectContent } from './detect';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const png = await sharp({ create: { width: 8, height: 4, channels: 3, background: '#000' } })
  .png()
  .toBuffer();
/** Two packets of a transport stream. */
const transport = Buffer.alloc(376 + 188);
for (const at of [0, 188, 376]) transport[at] = 0x47;
const binaryStl = Buffer.alloc(84 + 50);
binaryStl.writeUInt32LE(1, 80);

it.each<[name: string, content: Buffer | string, kind: string, mimeType: string]>([
  ['shot.txt', png, 'image', 'image/png'],
  ['shot.jpg', png, 'image', 'image/png'],
  ['drawing.svg', png, 'image', 'image/png'],
  ['code.ts', 'export const a = 1;\n', 'source', 'text/plain'],
  ['film.ts', transport, 'video', 'video/mp2t'],
  ['greeting.ts', `G${'x'.repeat(187)}G${'x'.repeat(187)}G`, 'source', 'text/plain'],
  ['report.pdf', samplePdf(['Hello']), 'pdf', 'application/pdf'],
  ['report.txt', samplePdf(['Hello']), 'pdf', 'application/pdf'],
  ['fake.pdf', 'no document', 'text', 'text/plain'],
  [
    'drawing.svg',
    '<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    'svg',
    'image/svg+xml',
  ],
  ['drawing.svg', '<html><body>no', 'source', 'text/plain'],
  ['page.html', '<p>Hi', 'html', 'text/html'],
  ['page.txt', '<!doctype html><p>Hi', 'text', 'text/plain'],
  ['part.stl', 'solid part\nfacet', 'stl', 'model/stl'],
  ['part.stl', binaryStl, 'stl', 'model/stl'],
  ['story.txt', 'solid snake is a game', 'text', 'text/plain'],
  ['scene.gltf', '{"asset":{"version":"2.0"}}', 'gltf', 'model/gltf+json'],
  ['scene.glb', Buffer.concat([bytes('glTF'), Buffer.from([2, 0, 0, 0, 12, 0, 0, 0])]), 'gltf', 'model/gltf-binary'],
  ['table.csv', 'a,b\n1,2', 'csv', 'text/csv'],
  ['notes.md', '# Notes', 'markdown', 'text/markdown'],
  ['Dockerfile', 'FROM node', 'source', 'text/plain'],
  ['utf16.txt', Buffer.from('\ufeffПривет', 'utf16le'), 'text', 'text/plain'],
  ['old.txt', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'text', 'text/plain'],
  ['id3.txt', 'ID3 is a kind of tag', 'text', 'text/plain'],
  ['bitmap.txt', 'BM is how a bitmap begins', 'text', 'text/plain'],
  ['unknown.bin', Buffer.from([0, 1, 2, 3, 4]), 'other', 'application/octet-stream'],
  ['empty.md', '', 'markdown', 'text/markdown'],
])('%s is %s', async (name, content, kind, mimeType) => {
  const sample = typeof content === 'string' ? Buffer.from(content) : content;
  expect(await detectContent(name, sample, sample.length)).toMatchObject({ kind, mimeType });
});

it('knows an image by its pixels, whatever becomes of the rest of the file', async () => {
  expect(await detectContent('a.png', png, png.length)).toMatchObject({ width: 8, height: 4 });
  expect(await detectContent('a.png', png.subarray(0, 30), png.length)).toMatchObject({ kind: 'image', width: 8 });
  expect(await detectContent('a.png', png.subarray(0, 12), 12)).toMatchObject({ width: null });
});

it('takes a cut character at the end of its sample for what it is', async () => {
  const text = Buffer.from('я'.repeat(10));
  expect(await detectContent('a.txt', text.subarray(0, 11), text.length)).toMatchObject({ kind: 'text' });
});
