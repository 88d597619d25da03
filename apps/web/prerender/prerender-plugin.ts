import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type InlineConfig, type Plugin, type ResolvedConfig, type Rolldown, build } from 'vite';
import type { SiteText, RenderedPage } from '../src/prerender.tsx';
import { publicPageFiles, toolPageFiles } from '../src/app/prerendered-pages.ts';
import { sharedAddresses, sharesReact, takesReact } from './shared-react.ts';
import { compactScript, lateCode } from './late-code.ts';

/** Set in the builds started by this plugin, so that it does not run in them. */
const inner = 'CELLFOLIO_INNER_BUILD';

/**
 * Modules shared by pages of the tool are bundled into one file each instead of a dozen of a kilobyte: requesting a
 * file takes a phone longer than reading it.
 */
const together = [
  // Before the others, which depend on it: public pages have it from here, and nothing else.
  { name: 'react', test: /node_modules.(react|react-dom|scheduler)\//, priority: 1 },
  { name: 'icons', test: /node_modules.lucide-react\//, minShareCount: 2 },
  { name: 'query', test: /node_modules.@tanstack.(query-core|react-query)\// },
];

/**
 * Renders the public pages at build time, and the first pages of the tool as they are before it has started:
 * `/features` becomes `features.html`, and so on; the empty page for all other addresses moves from `index.html` to
 * `app.html`. The address of the site is a placeholder in all of them (src/lib/site-origin.ts) that the server fills
 * in, so that a build is not bound to one. There are four builds: the tool; the public pages and the page of embedded views,
 * separately, so that they contain only what they use of the router and the controls, and of React the same files as the
 * tool; and the public pages for Node, which renders them.
 */
export function prerender(): Plugin[] {
  if (process.env[inner] !== undefined) return [];
  let config: ResolvedConfig;
  const rendering: Plugin = {
    name: 'cellfolio-prerender',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: together } } } } }),
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle(_, bundle) {
      const folder = resolve(config.root, config.build.outDir);
      process.env[inner] = 'yes';
      try {
        const shell = bundle['index.html'];
        if (shell?.type !== 'asset') throw new Error('The build has no index.html.');
        const [pages, site] = [
          await pagesBuild(config, 'public-page.html', bundle),
          await renderedSite(config),
        ];
        await pagesBuild(config, 'embed.html', bundle);
        await checkSources(
          config.root,
          pages.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
        );
        const bootScript = await readFile(join(config.publicDir, 'boot.js'), 'utf8');
        const tool = Object.values(bundle);
        const publicAssets = builtAssets(
          { html: 'public-page.html', files: pages, shared: tool, sourcesOf: publicSources },
          bootScript,
        );
        const toolAssets = builtAssets(
          { html: 'index.html', files: tool, sourcesOf: toolSources },
          bootScript,
        );
        const texts = new Map<string, string>(Object.entries(site.files));
        texts.set('app.html', String(shell.source));
        for (const page of site.pages) {
          const name = page.path === '/' ? 'index.html' : `${page.path.slice(1)}.html`;
          texts.set(name, pageHtml(page, publicAssets));
        }
        for (const page of site.toolPages)
          texts.set(`${page.path.slice(1)}.html`, pageHtml(page, toolAssets));
        for (const [name, text] of texts) {
          await mkdir(dirname(join(folder, name)), { recursive: true });
          await writeFile(join(folder, name), text);
        }
        await rm(join(folder, 'public-page.html'));
      } finally {
        delete process.env[inner];
      }
    },
  };
  return [{ ...sharesReact(), apply: 'build' }, rendering];
}

/** Builds a page that takes React from the tool, and has nothing else of it. */
async function pagesBuild(
  config: ResolvedConfig,
  input: string,
  tool: Rolldown.OutputBundle,
): Promise<readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[]> {
  const built = await build({
    ...like(config),
    plugins: [takesReact(sharedAddresses(tool))],
    build: {
      outDir: resolve(config.root, config.build.outDir),
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { input },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs.flatMap((bundle) => ('output' in bundle ? bundle.output : []));
}

/** Builds the pages for Node, renders them and deletes that build. */
async function renderedSite(config: ResolvedConfig): Promise<SiteText> {
  const folder = join(config.root, 'node_modules', '.prerender');
  try {
    await build({
      ...like(config),
      ssr: { noExternal: true },
      build: {
        ssr: join(config.root, 'src', 'prerender.tsx'),
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });
    const entry = pathToFileURL(join(folder, 'prerender.mjs')).href;
    const { renderSite } = (await import(entry)) as { renderSite: () => Promise<SiteText> };
    return await renderSite();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function like({ root, configFile }: ResolvedConfig): InlineConfig {
  return { root, logLevel: 'warn', ...(configFile !== undefined && { configFile }) };
}

/**
 * Throws when a module of the public pages is in no `@source` of `src/app/public.css`, which lists its sources so that
 * it has no styles of the tool.
 */
async function checkSources(root: string, modules: Iterable<string>): Promise<void> {
  const styles = join(root, 'src', 'app');
  const text = await readFile(join(styles, 'public.css'), 'utf8');
  const globs = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, glob = '']) => relative(root, join(styles, glob)));
  const [included, left] = [globs(/^@source '([^']+)'/gm), globs(/^@source not '([^']+)'/gm)];
  const missing = Array.from(modules, (id) => relative(root, id)).filter(
    (path) =>
      /^src\/(components|features|content)\/.*\.(tsx|mdx)$/.test(path) &&
      (!included.some((glob) => matchesGlob(path, glob)) || left.some((glob) => matchesGlob(path, glob))),
  );
  if (missing.length > 0) throw new Error(`public.css has no @source for ${missing.join(', ')}.`);
}

/**
 * Puts a rendered page into its built frame. Everything that blocks the first paint is inlined: the style sheet, and
 * the script that sets the theme. The code of the page follows after the paint. (The server allows both scripts by
 * their hashes.)
 */
function pageHtml({ path, head, body }: RenderedPage, assets: BuiltAssets): string {
  const font = `<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>`;
  const code = lateCode(assets.entry, assets.modulesOf(path));
  const changes: [RegExp, string][] = [
    [/<title>[^<]*<\/title>|<!--head-->/, head + font],
    [
      /<script src="\/boot.js"><\/script>/,
      `<script>${compactScript(assets.bootScript)}</script><script>${code}</script>`,
    ],
    [/<link rel="stylesheet"[^>]*>/, `<style>${assets.styles}</style>`],
    [/(?<=<div id="root">)(<!--body-->)?(?=<\/div>)/, body],
  ];
  return changes.reduce((text, [place, content]) => {
    if (!place.test(text)) throw new Error(`The frame of ${path} has nothing like ${place}.`);
    return text.replace(place, () => content);
  }, assets.frame);
}

type Built = Rolldown.OutputAsset | Rolldown.OutputChunk;

interface BuiltAssets {
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

function builtAssets({ html, files, shared = [], sourcesOf }: Build, bootScript: string): BuiltAssets {
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

function publicSources(path: string): readonly string[] {
  const slug = /^\/blog\/(.+)$/.exec(path)?.[1];
  if (slug === undefined) return [`/src/${publicPageFiles.get(path)}`];
  return [
    '/src/features/blog/article-page.tsx',
    `/src/content/blog/${slug}.mdx`,
    `/src/content/blog/${slug}.references.ts`,
  ];
}

function toolSources(path: string): readonly string[] {
  return [
    `/src/${toolPageFiles.get(path)}`,
    '/src/app/services-layout.tsx',
    '/src/app/start-services.ts',
    ...(path === '/auth'
      ? []
      : [
          '/src/app/notices.tsx',
          '/src/features/uploads/jobs/finished-jobs-layout.tsx',
          '/src/features/commands/commands-layout.tsx',
        ]),
  ];
}
