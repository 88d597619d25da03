import { fileURLToPath } from 'node:url';
import mdx from '@mdx-js/rollup';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { prerender } from './prerender/prerender-plugin.ts';

const api = process.env['CELLFOLIO_API'] ?? 'http://127.0.0.1:3000';

/** The product's server fills these in; in development the Vite server does. */
const termsOfPlans: Plugin = {
  name: 'terms-of-plans',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('trial-length.invalid', `${process.env['TRIAL_DAYS'] ?? 'some'} days`)
      .replaceAll('user-storage.invalid', `${process.env['USER_STORAGE_GB'] ?? 'some'} GB`),
};

export default defineConfig({
  // MDX first: it hands on JavaScript.
  plugins: [{ enforce: 'pre', ...mdx() }, react(), tailwindcss(), prerender(), termsOfPlans],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2023',
    // Nothing inlined: the content security policy allows files of our own, not data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      [
        '/api',
        '/auth/v1',
        '/rest/v1',
        '/storage/v1',
        '/functions/v1',
        '/config.json',
        '/healthz',
        '/docs',
      ].map((path) => [path, { target: api }]),
    ),
  },
});
