import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createShareDrawing } from './draw';
import type { ShareView } from './schema';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navi-draw-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const view: ShareView = {
  name: 'Boats',
  profileName: 'General',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastActive: '2026-01-01T00:00:00.000Z',
  page: { messages: [], nextBeforeSeq: null },
};

it('leaves the first screen to the page while its module loads, and draws from then on', async () => {
  const modulePath = join(folder, 'draw.mjs');
  await writeFile(modulePath, "export const drawShare = (view) => '<p>' + view.name + '</p>';");
  const problems: unknown[] = [];
  const draw = createShareDrawing({ modulePath, reportUnexpected: (error) => problems.push(error) });
  expect(draw(view)).toBe('');
  await vi.waitFor(() => expect(draw(view)).toBe('<p>Boats</p>'));
  expect(problems).toEqual([]);
});

it('reports a module that is not there once, and one that fails each time, and the page is served all the same', async () => {
  const problems: unknown[] = [];
  const reportUnexpected = (error: unknown) => problems.push(error);
  const missing = createShareDrawing({ modulePath: join(folder, 'missing.mjs'), reportUnexpected });
  expect(missing(view)).toBe('');
  await vi.waitFor(() => expect(problems).toHaveLength(1));
  expect(missing(view)).toBe('');
  const modulePath = join(folder, 'failing.mjs');
  await writeFile(modulePath, "export const drawShare = () => { throw new Error('on purpose'); };");
  const failing = createShareDrawing({ modulePath, reportUnexpected });
  await vi.waitFor(() => {
    expect(failing(view)).toBe('');
    expect(String(problems.at(-1))).toContain('on purpose');
  });
});
