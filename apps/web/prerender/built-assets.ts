import type { Rolldown } from 'vite';
import { publicPageFiles, toolPageFiles } from '../src/app/prerendered-pages.ts';

type Built = Rolldown.OutputAsset | Rolldown.OutputChunk;

export interface BuiltAssets {
  /** The built entry page, without the script of its entry. */
  frame: string;
  styles: string;
  bootScript: string;
  /** Font with the letters used on most pages. */
  font: string;
  entry: string;
  /**
   * Addresses of the other modules of a page: its own, and all imports of it and the entry. Dependencies come first.
   */
  modulesOf: (page: string) => readonly string[];
}

interface Build {
  /** The entry page of the build, such as `index.html`. */
  html: string;
  files: readonly Built[];
  /** Files of another build that this one uses. */
  shared?: readonly Built[];
  /** Suffixes of the module ids that the route of a page loads. */
  sourcesOf: (path: string) => readonly string[];
}

export function builtAssets({ html, files, shared = [], sourcesOf }: Build, bootScript: string): BuiltAssets {
  const page = files.find(({ fileName }) => fileName === html);
  if (page?.type !== 'asset') throw new Error(`The build has no ${html}.`);
  const font = files.find(({ fileName }) => /inter-common[^/]*\.woff2$/.test(fileName));
  if (font === undefined) throw new Error(`The build of ${html} has no inter-common.woff2.`);
  const [styles, more] = files.filter(({ fileName }) => fileName.endsWith('.css'));
  if (styles?.type !== 'asset' || more !== undefined) throw new Error(`${html} has one style sheet.`);
  const chunks = files.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith(`/${html}`));
  if (entry === undefined) throw new Error(`The build of ${html} has no entry.`);
  const byName = new Map(
    [...shared, ...chunks].filter((file) => file.type === 'chunk').map((file) => [file.fileName, file]),
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
      const seen = new Set<string>();
      const addresses: string[] = [];
      const follow = (fileName: string) => {
        const name = fileName.replace(/^\//, '');
        if (seen.has(name)) return;
        seen.add(name);
        for (const imported of byName.get(name)?.imports ?? []) follow(imported);
        addresses.push(`/${name}`);
      };
      follow(entry.fileName);
      for (const source of sourcesOf(path)) {
        const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(source)));
        if (own.length === 0) throw new Error(`The build of ${html} has no ${source}, which ${path} needs.`);
        for (const { fileName } of own) follow(fileName);
      }
      return addresses.filter((address) => address !== `/${entry.fileName}`);
    },
  };
}

export function publicSources(path: string): readonly string[] {
  const slug = /^\/blog\/(.+)$/.exec(path)?.[1];
  if (slug === undefined) return [`/src/${publicPageFiles.get(path)}`];
  return [
    '/src/features/blog/article-page.tsx',
    `/src/content/blog/${slug}.mdx`,
    `/src/content/blog/${slug}.references.ts`,
  ];
}

export function toolSources(path: string): readonly string[] {
  return [
    `/src/${toolPageFiles.get(path)}`,
    '/src/app/services-layout.tsx',
    '/src/app/start-services.ts',
    ...(path === '/auth'
      ? []
      : ['/src/app/notices.tsx', '/src/features/uploads/jobs/finished-jobs-layout.tsx']),
  ];
}
