import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pageChunks } from './web/page-chunks.ts';

/**
 * In the build the document is one: `index.html` carries the scripts and sheets of the client and of a share's page in two
 * templates, and `boot.js` writes those of the page that the address asks for. So a share is there without a second
 * document to fetch, and neither page loads anything of the other.
 */
function pagesInTemplates(): Plugin {
  const tags = /<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?/g;
  const boot = '<script src="/boot.js"></script>';
  return {
    name: 'pages-in-templates',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      // One request less before anything else can be asked for. The server tells the browser its hash (`server/http.ts`).
      handler: (html) => html.replace(boot, () => `<script>\n${readFileSync('web/boot.js', 'utf8')}</script>`),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const [client, share] = [bundle['index.html'], bundle['share.html']];
        if (client?.type !== 'asset' || share?.type !== 'asset') throw new Error('the build has no pages');
        const html = String(client.source);
        const [ofClient, ofShare] = [html, String(share.source)].map((page): string[] => page.match(tags) ?? []);
        // The sheets first: the first paint waits for them, and nothing in them for the scripts.
        const template = (page: string, own: string[] = []) =>
          `<template data-page="${page}">${[...own].sort(sheetsFirst).join('')}</template>`;
        // What both need is asked for at once, before the boot script has chosen.
        const early = ofClient?.filter((tag) => ofShare?.includes(tag)).map(asPreload) ?? [];
        const parts = [...early, template('client', ofClient?.map(asBlocking)), template('share', ofShare), '<script>'];
        client.source = html
          .replace(tags, '')
          .replace('<script>', () => parts.join('\n    '))
          .replace(/^\s*\n/gm, '');
        delete bundle['share.html'];
      },
    },
  };
}

const sheetsFirst = (a: string, b: string): number => Number(b.startsWith('<link')) - Number(a.startsWith('<link'));

/** Until the client's scripts have run there is nothing to draw: a frame of an empty page would only hold them up. */
const asBlocking = (tag: string): string => tag.replace('<script ', '<script blocking="render" ');

/** The same file, fetched and compiled, but not run or applied. */
function asPreload(tag: string): string {
  const href = /(?:src|href)="([^"]+)"/.exec(tag)?.[1];
  return href?.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${href}">`
    : `<link rel="modulepreload" crossorigin href="${href}">`;
}

/** Below this many bytes a file travels in one packet, compressed or not. */
const WORTH_COMPRESSING = 1_400;

/** `<name>.gz` beside each text file, for the server to hand out (`server/door/client-files.ts`). */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source;
          if (!/\.(?:m?js|css|svg|wasm|ttf)$/.test(fileName) || content.length < WORTH_COMPRESSING) continue;
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) });
        }
      },
    },
  };
}

/** The web client: `web/index.html` becomes `dist/web`. While developing, calls go on to a server on its default port. */
export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), pagesInTemplates(), compressed()],
  build: {
    outDir: '../dist/web',
    // Every browser that the target names knows it.
    modulePreload: { polyfill: false },
    // The client, and the small page that a share's reader gets.
    rolldownOptions: {
      input: ['web/index.html', 'web/share.html'],
      output: { codeSplitting: { groups: pageChunks } },
    },
    emptyOutDir: true,
    target: 'es2023',
    // Fonts as files of their own: inlined ones would block the first paint.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Viewers and diagrams are large and load when a message needs them; what the first page may weigh is tested.
    chunkSizeWarningLimit: 2_000,
  },
  server: {
    proxy: {
      '/trpc': { target: 'http://127.0.0.1:3000', ws: true },
      '/api': 'http://127.0.0.1:3000',
    },
  },
});
