// Bundles the server's own sources into dist/server. Dependencies stay in node_modules.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Programs of their own: each becomes dist/server/<name>.js. */
const entries = {
  main: 'server/main.ts',
  'embedded-child': 'server/database/embedded-child.ts',
  'html-worker': 'server/domains/agent/tools/web-fetch/html-worker.ts',
  'document-worker': 'server/domains/files/documents/document-worker.ts',
  acp: 'server/protocols/acp/main.ts',
  // The one piece of the client that the server runs: the first screen of a share.
  'draw-share': 'web/share/draw-share.tsx',
};

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  // React picks its build by the environment of the process; here it is always that of production.
  ssr: { noExternal: ['react', 'react-dom', 'lucide-react'], target: 'node' },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      // Libraries of the client mark their modules with "use client", which says nothing to this build.
      onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
      input: Object.fromEntries(
        Object.entries(entries)
          .map(([name, path]) => [name, join(root, path)])
          .filter(([, path]) => existsSync(path)),
      ),
      // All in one folder: modules find their neighbours (the engine's process, prisma/migrations) relative to it.
      output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
