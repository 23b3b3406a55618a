// Runs `prisma generate`. The generator is WebAssembly, but the CLI insists on a schema engine it does not use and tries to
// download it; pointing it at any existing file spares the download.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../node_modules/prisma/build/index.js', import.meta.url));
const result = spawnSync(process.execPath, [cli, 'generate'], {
  cwd: root,
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}\n${result.stderr}\n`);
  process.exit(result.status ?? 1);
}
