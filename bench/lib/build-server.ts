/** Builds the server as it is shipped: bundled, packages left outside. */
import { build } from 'esbuild';

/** Two folders below the root, like `dist/server`, so that the program finds its migrations. */
const OUTPUT = 'dist/bench-server';

/** Returns the path of the program. */
export async function buildServer(): Promise<string> {
  await build({
    entryPoints: ['server/main.ts', 'server/database/embedded-child.ts'],
    entryNames: '[name]',
    outdir: OUTPUT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return `${OUTPUT}/main.js`;
}
