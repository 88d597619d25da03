import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A text of the built web app, with what is known only now. */
export interface BuiltPage {
  readonly text: string;
  /** Media type. */
  readonly type: string;
  /** What a content security policy names its inline scripts by: `'sha256-…'`. */
  readonly scriptHashes: readonly string[];
  /** Strong entity tag. */
  readonly tag: string;
}

/** What pages say that is known only when they are served. */
export interface BuiltPageValues {
  /** Where browsers reach the site, without a closing slash. */
  readonly siteUrl: string;
  readonly trialDays: number;
}

/** What the build writes in their place (apps/web/src/lib/site-origin.ts and trial-length.ts). */
const originPlaceholder = 'https://site-url.invalid';
const trialPlaceholder = 'trial-length.invalid';

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** The pages of a build by the paths they are asked for: `blog/a.html` at `/blog/a`, `index.html` at `/`. */
export async function readBuiltPages(
  folder: string,
  { siteUrl, trialDays }: BuiltPageValues,
): Promise<Map<string, BuiltPage>> {
  const trialLength = trialDays === 1 ? '1 day' : `${trialDays} days`;
  const pages = new Map<string, BuiltPage>();
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const extension = /\.\w+$/.exec(file.name)?.[0] ?? '';
    const type = types.get(extension);
    const name = relative(folder, join(file.parentPath, file.name)).replaceAll('\\', '/');
    if (type === undefined || !file.isFile() || name.startsWith('assets/')) continue;
    const built = await readFile(join(folder, name), 'utf8');
    const text = built.replaceAll(originPlaceholder, siteUrl).replaceAll(trialPlaceholder, trialLength);
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    pages.set(`/${name.replace(/(^|\/)index\.html$|\.html$/, '')}`, {
      text,
      type,
      tag,
      scriptHashes: scriptHashes(text),
    });
  }
  return pages;
}

/** Only the build writes these pages, so every script in them is its own. */
function scriptHashes(html: string): string[] {
  return Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}
