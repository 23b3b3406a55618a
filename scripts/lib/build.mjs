// Generates and builds what is missing or out of date.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { whenChanged } from './fingerprint.mjs';
import { root, runNode, StepError, say, seconds } from './run.mjs';

const isSource = (path) => !/(\.test\.tsx?$|\/testing\/|\/generated\/)/.test(path);

async function step(line, failure, work) {
  const start = performance.now();
  say(`${line} …`);
  if ((await work()) !== 0) throw new StepError(failure);
  say(`  done in ${seconds(start)}`);
}

/** The Prisma client, from prisma/. */
export const generate = () =>
  whenChanged(
    {
      name: 'generate',
      inputs: [
        'prisma/schema.prisma',
        'prisma/models',
        'scripts/prisma-generate.mjs',
        'node_modules/prisma/package.json',
      ],
      outputs: ['server/generated/prisma/client.ts'],
    },
    () =>
      step('Generating the database client', 'Generating the database client failed; see above.', () =>
        runNode('scripts/prisma-generate.mjs', []),
      ),
  );

/** The web client, into dist/web. It shares schemas with the server. */
export const buildClient = () =>
  whenChanged(
    {
      name: 'client',
      inputs: ['web', 'server', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'],
      isInput: (path) =>
        isSource(path) && (!path.startsWith('server/') || /(schema|topics)\.ts$|^server\/lib\//.test(path)),
      outputs: ['dist/web/index.html'],
    },
    () =>
      step('Building the web client', 'Building the web client failed; see above.', () =>
        runNode('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'], { env: { NODE_ENV: 'production' } }),
      ),
  );

/** The server, into dist/server, with the first screen of a share out of web/; dependencies stay in node_modules. */
export const buildServer = () =>
  whenChanged(
    {
      name: 'server',
      inputs: [
        'server',
        'web',
        'prisma/schema.prisma',
        'prisma/models',
        'scripts/build-server.mjs',
        'package-lock.json',
      ],
      isInput: isSource,
      outputs: ['dist/server/main.js', 'dist/server/embedded-child.js', 'dist/server/draw-share.js'],
    },
    () =>
      step('Building the server', 'Building the server failed; see above.', () =>
        runNode('scripts/build-server.mjs', []),
      ),
  );

/** Everything `npm start` needs. */
export async function build() {
  await generate();
  if (existsSync(join(root, 'web/index.html'))) await buildClient();
  else say('There is no web client in this checkout (web/index.html); only the server is built.');
  await buildServer();
}

export const cleanBuild = () => rmSync(join(root, 'dist'), { recursive: true, force: true });
