import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { expect, it } from 'vitest';

/** The share of the client's 200 kB (gzip, until a session is shown) that message bodies may take. */
const EAGER_BUDGET_BYTES = 16_000;

it('loads no more than its share before a message is shown', async () => {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: {
      write: false,
      rollupOptions: {
        input: fileURLToPath(new URL('./markdown.tsx', import.meta.url)),
        preserveEntrySignatures: 'strict',
        // React belongs to the shell; the heavy libraries load later and are only looked for here.
        external: /^(?:react|katex|shiki|mermaid)/,
      },
    },
  });
  const outputs = Array.isArray(result) ? result.flatMap((one) => one.output) : 'output' in result ? result.output : [];
  const chunks = outputs.filter((output) => output.type === 'chunk');
  const eager = new Set<string>();
  const follow = (fileName: string) => {
    if (eager.has(fileName)) return;
    eager.add(fileName);
    for (const name of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) follow(name);
  };
  for (const chunk of chunks) if (chunk.isEntry) follow(chunk.fileName);
  const code = chunks.filter((chunk) => eager.has(chunk.fileName)).map((chunk) => chunk.code);
  const imports = chunks.filter((chunk) => eager.has(chunk.fileName)).flatMap((chunk) => chunk.imports);
  expect(imports.filter((name) => /katex|shiki|mermaid/.test(name))).toEqual([]);
  expect(code.join('').length).toBeGreaterThan(10_000);
  expect(gzipSync(code.join(''), { level: 9 }).length).toBeLessThan(EAGER_BUDGET_BYTES);
});
