import { pdfWithActions } from '../fixtures/hostile-documents';
import { boxGltf, type SampleFile, textFile } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test-with-collector';
import type { ChatPage } from '../pages/chat-page';
import type { FilesPage } from '../pages/files';

/** A chat with files, and its panel open. Answers its id. */
async function openChat(chat: ChatPage, files: FilesPage, ...contents: SampleFile[]): Promise<string> {
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  for (const file of contents) await files.put(sessionId, file);
  await files.openPanel();
  await files.page.reload();
  return sessionId;
}

/** A box whose face is painted with the picture at an address. */
function paintedBox(uri: string): string {
  const model = JSON.parse(boxGltf());
  model.images = [{ uri }];
  model.textures = [{ source: 0 }];
  model.materials[0].pbrMetallicRoughness.baseColorTexture = { index: 0 };
  return JSON.stringify(model);
}

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

test('a model loads nothing but what it brings along', async ({ chat, files, page, collector }) => {
  test.setTimeout(180_000);
  const models = {
    'buffer.gltf': boxGltf(`${collector.origin}/box.bin`),
    'relative.gltf': boxGltf('box.bin'),
    'picture.gltf': paintedBox(`${collector.origin}/skin.png`),
    'slashes.gltf': paintedBox(`${collector.origin.replace('http:', '')}/skin.png`),
    'own.gltf': paintedBox('/api/sessions/x/files/skin.png'),
  };
  await openChat(chat, files, ...Object.entries(models).map(([name, text]) => textFile(name, text)));
  for (const name of Object.keys(models)) {
    await files.open(name);
    await expect(files.stage.getByText('This model refers to another file'), name).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(files.stage).toHaveCount(0);
  }
  expect(collector.received).toEqual([]);
});

test('a model with everything inside is drawn', async ({ chat, files, page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await openChat(chat, files, textFile('box.gltf', boxGltf()), textFile('painted.gltf', paintedBox(dot)));
  for (const name of ['box.gltf', 'painted.gltf']) {
    await files.open(name);
    await expect(files.stage.getByText('1 × 1 × 1 · 12 triangles')).toBeVisible();
    await page.keyboard.press('Escape');
  }
  expect(requests.filter((url) => !url.startsWith(new URL(page.url()).origin) && !/^(data|blob):/.test(url))).toEqual(
    [],
  );
});

test('a PDF that would act by itself is a picture of pages', async ({ chat, files, page, collector }) => {
  test.setTimeout(180_000);
  const address = `${collector.origin}/pdf`;
  const script = `app.alert\\(1\\); app.launchURL\\("${address}", true\\); this.submitForm\\("${address}"\\);`;
  const link = `<< /S /URI /URI (${address}) >>`;
  const actions = {
    'open.pdf': `/OpenAction << /S /JavaScript /JS (${script}) >>`,
    'names.pdf': `/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (${script}) >>] >> >>`,
    'uri.pdf': `/OpenAction ${link}`,
    'launch.pdf': `/OpenAction << /S /Launch /F (${address}) >>`,
    'events.pdf': `/AA << /WC ${link} /WP ${link} >>`,
    'form.pdf': `/AcroForm << /Fields [] /XFA (<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><script>${script}</script></xdp:xdp>) >>`,
  };
  const came: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => came.push('dialog')));
  page.on('download', () => came.push('download'));
  page.context().on('page', () => came.push('window'));
  const documents = Object.entries(actions).map(([name, action]) => ({
    name,
    mimeType: 'application/pdf',
    buffer: pdfWithActions(action),
  }));
  await openChat(chat, files, ...documents);
  const here = page.url();
  for (const name of Object.keys(actions)) {
    await files.open(name);
    // The first one loads the viewer and its worker.
    await expect(files.stage.getByText('Visible'), name).toBeVisible({ timeout: 60_000 });
    await expect(files.stage.locator('a[href], form, input, iframe').filter({ hasNotText: /^$/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(files.stage).toHaveCount(0);
  }
  expect(page.url()).toBe(here);
  expect(came).toEqual([]);
  expect(collector.received).toEqual([]);
});

test('a name cannot make a file look like another kind', async ({ chat, files, page }) => {
  // Reads `annual-lmth.pdf` where the mark is obeyed.
  const name = 'annual-\u202efdp.html';
  const long = `${'д'.repeat(125)}.html`;
  const devices = ['CON', 'NUL.txt', 'COM1.md', 'aux.csv', 'LPT¹.txt'];
  expect(Buffer.byteLength(long)).toBe(255);
  const sessionId = await openChat(
    chat,
    files,
    ...[name, long, ...devices].map((one) => textFile(one, `<p>Content of ${one}</p>`)),
  );
  const { items } = await page.request
    .get(`/trpc/files.list?input=${encodeURIComponent(JSON.stringify({ sessionId }))}`)
    .then(async (answer) => (await answer.json()).result.data);
  expect(items.map((file: { name: string }) => file.name).sort()).toEqual([name, long, ...devices].sort());

  const shown = 'annual-[U+202E]fdp.html';
  await expect(files.rows.filter({ hasText: shown })).toHaveCount(1);
  await files.open(shown);
  await expect(files.stage.getByRole('heading')).toHaveText(shown);
  const saved = page.waitForEvent('download');
  await files.stage.getByRole('link', { name: `Download ${shown}` }).click();
  expect((await saved).suggestedFilename()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
  await page.keyboard.press('Escape');
  // The end of a long one stays in view.
  const end = files.rows.filter({ hasText: 'ддд' }).getByText('.html', { exact: true });
  await expect(end).toBeInViewport({ ratio: 1 });
  for (const one of devices) {
    const answer = await page.request.get(`/api/sessions/${sessionId}/files/${encodeURIComponent(one)}`);
    expect(await answer.text()).toBe(`<p>Content of ${one}</p>`);
  }
});
