import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slug } from '../src/api-pages.ts';

const app = fileURLToPath(new URL('..', import.meta.url));
const pages = join(app, '.pages');

/** Inline scripts of the pages by their files: a strict content security policy allows files alone. */
const scripts = new Map<string, string>();

export default defineConfig({
  title: 'Cellfolio Docs',
  description: 'How to use, script and run Cellfolio.',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: true,
  // The theme that the app stores; `boot.js` sets it before the first paint.
  appearance: { storageKey: 'cellfolio:theme' } as object,
  markdown: {
    // Tags in a text are text.
    html: false,
    anchor: { slugify: slug },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 3000 }, publicDir: join(pages, 'public') },
  themeConfig: {
    sidebar: JSON.parse(readFileSync(join(pages, 'sidebar.json'), 'utf8')),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  transformHtml(html, _, { siteConfig }) {
    const { base } = siteConfig.site;
    return html
      .replace(/<script id="check-dark-mode">[^]*?<\/script>/, `<script src="${base}boot.js"></script>`)
      .replaceAll(/<script(?![^>]*(?:src=|json))([^>]*)>([^]*?)<\/script>/g, (_tag, attributes, script) => {
        const name = `assets/inline.${createHash('sha256').update(script).digest('hex').slice(0, 10)}.js`;
        scripts.set(name, script);
        return `<script${attributes} src="${base}${name}"></script>`;
      });
  },
  async buildEnd({ outDir }) {
    for (const [name, script] of scripts) {
      await mkdir(dirname(join(outDir, name)), { recursive: true });
      await writeFile(join(outDir, name), script);
    }
  },
});
