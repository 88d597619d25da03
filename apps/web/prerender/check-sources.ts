import { readFile } from 'node:fs/promises';
import { join, matchesGlob, relative } from 'node:path';

/**
 * Throws where the public pages have code whose classes their style sheet does not look for: `src/app/public.css` names
 * the files it looks into, so that it has nothing of the tool.
 *
 * @param modules Ids of all modules of the public pages.
 */
export async function checkSources(root: string, modules: Iterable<string>): Promise<void> {
  const styles = join(root, 'src', 'app');
  const text = await readFile(join(styles, 'public.css'), 'utf8');
  const globs = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, glob = '']) => relative(root, join(styles, glob)));
  const [taken, left] = [globs(/^@source '([^']+)'/gm), globs(/^@source not '([^']+)'/gm)];
  const missing = Array.from(modules, (id) => relative(root, id)).filter(
    (path) =>
      /^src\/(components|features|content)\/.*\.(tsx|mdx)$/.test(path) &&
      (!taken.some((glob) => matchesGlob(path, glob)) || left.some((glob) => matchesGlob(path, glob))),
  );
  if (missing.length > 0) throw new Error(`public.css has no @source for ${missing.join(', ')}.`);
}
