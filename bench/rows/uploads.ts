import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../../server/testing/wire-client';
import { cpuSecondsOf, watchMemory } from '../lib/process-usage';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';
import { openStreams } from '../lib/streams';
import { downloadHash, hashOf, pieces, upload } from '../lib/uploads';

const MB = 1024 * 1024;
const LARGE_BYTES = 200 * MB;

/** An upload of the largest allowed size: its bytes pass through the server, they do not gather in it. */
export const largeUploadRow: Row = {
  id: 'upload-200mb',
  what: 'one upload of 200 MB',
  figure: 'server memory grows ≤ 30 MB; bytes identical',
  async run(bench) {
    const server = await bench.startServer(
      { DATABASE_URL: await bench.createDatabase(), NAVI_DATA_DIR: bench.createFolder() },
      { profileName: 'upload-200mb' },
    );
    const { id } = await createApi(server.origin).sessions.create.mutate({ name: 'Bench' });
    const send = (name: string, seed: number, sizeBytes: number) =>
      upload(server.origin, id, { name, sizeBytes, content: pieces(seed, sizeBytes) });
    // What the first upload loads (the parser, the detector) is there once, however large the next one is.
    await send('warm-up.bin', 1, 20 * MB);
    const memory = watchMemory(server.processId);
    const startedAtMs = performance.now();
    const stored = await send('large.bin', 2, LARGE_BYTES);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const grownMb = memory.stop();
    const isIdentical = (await downloadHash(server.origin, id, stored.name)) === hashOf(pieces(2, LARGE_BYTES));
    return {
      measured: `memory grows ${format(grownMb)} MB (from ${format(memory.beforeMb)}); bytes ${isIdentical ? 'identical' : 'DIFFER'}; ${format(seconds)} s`,
      passed: grownMb <= 30 && isIdentical,
      values: { grownMb, beforeMb: memory.beforeMb, seconds },
    };
  },
};

const FILES = 20;
const FILE_BYTES = 10 * MB;

/** Uploads share the process with runs: a person who reads must not notice that another one uploads. */
export const uploadsWhileStreamingRow: Row = {
  id: 'uploads-while-streaming',
  what: '20 uploads of 10 MB at once while a run streams',
  figure: 'all stored; event delay p99 ≤ 300 ms',
  async run(bench) {
    const model = await bench.model();
    const server = await bench.startServer(
      {
        DATABASE_URL: await bench.createDatabase(),
        NAVI_DATA_DIR: bench.createFolder(),
        OPENAI_BASE_URL: model.openAiBaseUrl,
        NAVI_MODEL: 'openai/gpt-test',
      },
      { profileName: 'uploads-while-streaming' },
    );
    const { id } = await createApi(server.origin).sessions.create.mutate({ name: 'Bench' });
    const streams = await openStreams(server.origin, 1);
    await streams.run({ tokens: 30, tokensPerSecond: 30 });
    // Made beforehand: the subscriber lives in this process, and its delays are what is measured.
    const contents = Array.from({ length: FILES }, (_, index) => [...pieces(index + 1, FILE_BYTES)]);
    const cpuBefore = cpuSecondsOf(server.processId);
    const startedAtMs = performance.now();
    const running = streams.run({ tokens: 600, tokensPerSecond: 30 });
    const stored = await Promise.all(
      contents.map((content, index) =>
        upload(server.origin, id, { name: `file-${index}.bin`, sizeBytes: FILE_BYTES, content }),
      ),
    );
    const uploadSeconds = (performance.now() - startedAtMs) / 1000;
    const cpuSeconds = cpuSecondsOf(server.processId) - cpuBefore;
    const [stream] = await running;
    streams.close();
    let identical = 0;
    for (const [index, { name }] of stored.entries()) {
      if ((await downloadHash(server.origin, id, name)) === hashOf(contents[index] ?? [])) identical += 1;
    }
    const delays = stream?.delaysMs ?? [];
    const p99 = quantile(delays, 0.99);
    return {
      measured: `${identical} of ${FILES} stored and identical in ${format(uploadSeconds)} s, ${format(cpuSeconds)} s of processor; delay p50 ${format(median(delays))} ms, p99 ${format(p99)} ms, longest ${format(quantile(delays, 1))} ms`,
      passed: identical === FILES && stream?.isWhole === true && p99 <= 300,
      values: {
        identical,
        uploadSeconds,
        cpuSeconds,
        delayMs: median(delays),
        delayP99Ms: p99,
        delayMaxMs: quantile(delays, 1),
      },
    };
  },
};

const REFUSED_BYTES = 50 * MB;

/** What is refused in the end has to be read to it, and must not gather meanwhile: a name, a content, and a size that are not taken. */
export const refusedUploadsRow: Row = {
  id: 'uploads-refused',
  what: '20 uploads of 50 MB at once, refused by name, by content and by size',
  figure: 'all refused; server memory grows ≤ 60 MB; nothing left on the disk',
  async run(bench) {
    const folder = bench.createFolder();
    const server = await bench.startServer(
      { DATABASE_URL: await bench.createDatabase(), NAVI_DATA_DIR: folder, NAVI_SESSION_FILES_MAX_SIZE_MB: '49' },
      { profileName: 'uploads-refused' },
    );
    const { id } = await createApi(server.origin).sessions.create.mutate({ name: 'Bench' });
    const attempts = Array.from({ length: FILES }, (_, index) => {
      const kind = index % 3;
      const sizeBytes = kind === 2 ? REFUSED_BYTES : 48 * MB;
      const name = kind === 0 ? `${index}.exe` : `${index}.bin`;
      return { name, sizeBytes, content: kind === 1 ? programPieces(index, sizeBytes) : pieces(index + 1, sizeBytes) };
    });
    await upload(server.origin, id, { name: 'warm-up.bin', sizeBytes: 20 * MB, content: pieces(1, 20 * MB) });
    const memory = watchMemory(server.processId);
    const outcomes = await Promise.allSettled(attempts.map((attempt) => upload(server.origin, id, attempt)));
    const grownMb = memory.stop();
    const refused = outcomes.filter(
      (one) => one.status === 'rejected' && /answered 4(00|13)/.test(String(one.reason)),
    ).length;
    const left = readdirSync(join(folder, 'session_files', id)).length - 1;
    return {
      measured: `${refused} of ${FILES} refused; memory grows ${format(grownMb)} MB (from ${format(memory.beforeMb)}); ${left} files left`,
      passed: refused === FILES && grownMb <= 60 && left === 0,
      values: { refused, grownMb, left },
    };
  },
};

/** A native program by its first bytes. */
function* programPieces(seed: number, sizeBytes: number): Generator<Buffer> {
  let isFirst = true;
  for (const piece of pieces(seed, sizeBytes)) {
    if (isFirst) piece.write('\x7fELF', 'latin1');
    isFirst = false;
    yield piece;
  }
}
