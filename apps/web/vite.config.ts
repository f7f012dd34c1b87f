import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { keepLicences } from '../../scripts/setup/third-party.mjs';
import { listSite, WORKER } from './src/service-worker/build.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [
    react(),
    tailwindcss(),
    listSite(fileURLToPath(new URL('public', import.meta.url))),
    keepLicences('site', ['tailwindcss', 'vite', 'rolldown']),
  ],
  resolve: {
    alias: {
      // The one for browsers asks innerHTML what `&amp;` is, which Trusted Types forbid: the page would break.
      'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')),
    },
  },
  build: {
    // Part of what @parley/cli ships.
    outDir: '../cli/dist/site',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', worker: 'src/service-worker/worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'worker' ? WORKER : 'assets/[name]-[hash].js'),
        // One file for everything that is needed at once, instead of forty.
        codeSplitting: {
          groups: [{ name: 'start', tags: ['$initial'], test: (id) => !id.includes('service-worker') }],
        },
      },
    },
    // An inlined asset would need `data:` in the policy of the page.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in some browsers' eyes, and every browser we support has modulepreload.
    modulePreload: { polyfill: false },
  },
});
