import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web client: `web/index.html` becomes `dist/web`. While developing, calls go on to a server on its default port. */
export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    // The client, and the small page that a share's reader gets.
    rolldownOptions: { input: ['web/index.html', 'web/share.html'] },
    emptyOutDir: true,
    target: 'es2023',
    // Fonts as files of their own: inlined ones would block the first paint.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/trpc': { target: 'http://127.0.0.1:3000', ws: true },
      '/api': 'http://127.0.0.1:3000',
    },
  },
});
