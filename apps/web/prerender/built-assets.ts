import type { Rolldown } from 'vite';

type Built = Rolldown.OutputAsset | Rolldown.OutputChunk;

export interface BuiltAssets {
  /** public-page.html as the build made it, without the script of its entry. */
  frame: string;
  /** All of the style sheet. */
  styles: string;
  /** public/boot.js. */
  bootScript: string;
  /** The letters of most pages. */
  font: string;
  /** Address of the module that every page begins with. */
  entry: string;
  /** Addresses of the other modules of a page: its own, and all that it and the entry import. */
  modulesOf: (page: string) => readonly string[];
}

/**
 * What the frame of a page refers to, found in the build of the public pages.
 *
 * @param tool Files of the other build, which has what both share.
 */
export function builtAssets(
  pages: readonly Built[],
  tool: readonly Built[],
  bootScript: string,
): BuiltAssets {
  const page = pages.find(({ fileName }) => fileName === 'public-page.html');
  if (page?.type !== 'asset') throw new Error('The build has no public-page.html.');
  const font = pages.find(({ fileName }) => /inter-common[^/]*\.woff2$/.test(fileName));
  if (font === undefined) throw new Error('The build of the public pages has no inter-common.woff2.');
  const [styles, more] = pages.filter(({ fileName }) => fileName.endsWith('.css'));
  if (styles?.type !== 'asset' || more !== undefined) throw new Error('Public pages have one style sheet.');
  const chunks = pages.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error('The build of the public pages has no entry.');
  const byName = new Map(
    [...tool, ...chunks].filter((file) => file.type === 'chunk').map((file) => [file.fileName, file]),
  );
  return {
    // Its code and what that imports come after the first paint (late-code.ts).
    frame: String(page.source).replaceAll(
      /\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g,
      '',
    ),
    styles: String(styles.source),
    bootScript,
    font: `/${font.fileName}`,
    entry: `/${entry.fileName}`,
    modulesOf(path) {
      const sources = sourcesOf(path);
      const own = chunks.filter(({ moduleIds }) =>
        moduleIds.some((id) => sources.some((source) => id.endsWith(source))),
      );
      if (own.length === 0) throw new Error(`The build of the public pages has no code of ${path}.`);
      const found = new Set<string>();
      const follow = (fileName: string) => {
        const name = fileName.replace(/^\//, '');
        if (found.has(name)) return;
        found.add(name);
        for (const imported of byName.get(name)?.imports ?? []) follow(imported);
      };
      for (const { fileName } of [entry, ...own]) follow(fileName);
      found.delete(entry.fileName);
      return Array.from(found, (name) => `/${name}`);
    },
  };
}

/** Where the code of a page is, as its route loads it. */
function sourcesOf(path: string): readonly string[] {
  const slug = /^\/blog\/(.+)$/.exec(path)?.[1];
  if (slug === undefined) return [`/src/app/routes/${path === '/' ? 'landing' : path.slice(1)}.tsx`];
  return [
    '/src/features/blog/article-page.tsx',
    `/src/content/blog/${slug}.mdx`,
    `/src/content/blog/${slug}.references.ts`,
  ];
}
