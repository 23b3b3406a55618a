import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * In the built `index.html` the client's scripts and sheets stand in a template; `public/share-boot.js` writes them where they
 * belong, unless the address is that of a share, which would load them for nothing.
 */
function clientInTemplate(): Plugin {
  return {
    name: 'client-in-template',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path }) {
        if (path !== '/index.html') return html;
        const tags = html.match(
          /<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?/g,
        );
        if (tags === null) throw new Error('index.html names no scripts');
        const rest = tags.reduce((left, tag) => left.replace(tag, ''), html).replace(/^\s*\n/gm, '');
        const boot = '<script src="/share-boot.js"></script>';
        return rest.replace(boot, `<template>${tags.join('')}</template>\n    ${boot}`);
      },
    },
  };
}

/** The web client: `web/index.html` becomes `dist/web`. While developing, calls go on to a server on its default port. */
export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), clientInTemplate()],
  build: {
    outDir: '../dist/web',
    // The client, and the small page that a share's reader gets.
    rolldownOptions: { input: ['web/index.html', 'web/share.html'] },
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
