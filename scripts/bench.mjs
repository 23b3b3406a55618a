// Runs the benchmarks: generates the Prisma client, then every row of the table (`--only <row>[,<row>]`, `--profile`).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
for (const step of [['scripts/prisma-generate.mjs'], ['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]]) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
