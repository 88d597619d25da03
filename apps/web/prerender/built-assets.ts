import type { Rolldown } from 'vite';

export interface BuiltAssets {
  /** public-page.html as the build made it. */
  frame: string;
  /** All of the style sheet. */
  styles: string;
  /** public/boot.js. */
  bootScript: string;
  /** The letters of most pages; `null` where the build has none. */
  font: string | null;
  /** The code of a page and what it imports, by the name of its route file. */
  chunksOf: (page: string) => readonly string[];
}

/** What the frame of a page refers to, found in the build of the public pages. */
export function builtAssets(
  files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[],
  bootScript: string,
): BuiltAssets {
  const frame = files.find(({ fileName }) => fileName === 'public-page.html');
  if (frame?.type !== 'asset') throw new Error('The build has no public-page.html.');
  const font = files.find(({ fileName }) => /inter-latin-wght-normal[^/]*\.woff2$/.test(fileName));
  const [styles, more] = files.filter(({ fileName }) => fileName.endsWith('.css'));
  if (styles?.type !== 'asset' || more !== undefined) throw new Error('Public pages have one style sheet.');
  return {
    frame: String(frame.source),
    styles: String(styles.source),
    bootScript,
    font: font?.fileName ?? null,
    chunksOf(page) {
      const route = `/src/app/routes/${page}.tsx`;
      const chunk = files.find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(route) === true,
      );
      if (chunk?.type !== 'chunk') return [];
      return [chunk.fileName, ...chunk.imports].map((file) => file.replace(/^\//, ''));
    },
  };
}
