import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  docxBomb,
  docxWithEntity,
  docxWithPicture,
  pdfBomb,
  pdfWithActions,
} from '../../../../e2e/fixtures/hostile-documents';
import { readAnyText } from './read-document';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navi-hostile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function textOf(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const handle = await open(path);
  try {
    return (await readAnyText(handle, bytes.length, name)).text;
  } finally {
    await handle.close();
  }
}

it.each([
  ['bomb.docx', docxBomb],
  ['bomb.pdf', pdfBomb],
])('%s is given up in words', async (name, make) => {
  const bytes = make();
  expect(bytes.length).toBeLessThan(10 * 1024 * 1024);
  await expect(textOf(name, bytes)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('too intricate'),
  });
});

it('a DOCX asks no server for its pictures, and opens no file for them', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const target of [`http://127.0.0.1:${port}/picture.png`, 'file:///etc/passwd', '../../../../etc/passwd']) {
    expect(await textOf('picture.docx', docxWithPicture(target))).toBe('Visible');
  }
  expect(asked).toBe(0);
  server.close();
});

it.each([
  '<!ENTITY it SYSTEM "file:///etc/passwd">',
  '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY it "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">',
])('a DOCX with an entity of its own is not read: %s', async (declared) => {
  await expect(textOf('entity.docx', docxWithEntity(declared))).rejects.toMatchObject({ code: 'invalid-input' });
});

it.each([
  '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>',
  '/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.launchURL\\("http://127.0.0.1:9"\\)) >>] >> >>',
  '/OpenAction << /S /Launch /F (/bin/sh) >>',
  '/AA << /WC << /S /URI /URI (http://127.0.0.1:9) >> >>',
])('a PDF that would act by itself is text and nothing else: %s', async (actions) => {
  expect(await textOf('acts.pdf', pdfWithActions(actions))).toBe('[Page 1 of 1]\nVisible');
});
