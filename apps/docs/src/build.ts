// Builds the site of the documentation into `dist`, unless it was built from the same pages:
// node apps/docs/src/build.ts [--base /docs/]
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { makeSite } from './site.ts';

const app = fileURLToPath(new URL('..', import.meta.url));
const project = join(app, '../..');
const pagesFolder = join(app, '.pages');
const stamp = join(app, 'dist', '.pages');

const { values } = parseArgs({ options: { base: { type: 'string', default: '/docs/' } } });

await writePages();
const state = `${values.base} ${await digest([pagesFolder, join(app, '.vitepress')])}`;
if (!existsSync(stamp) || (await readFile(stamp, 'utf8')) !== state) {
  await build(app, { base: values.base });
  await writeFile(stamp, state);
}

async function writePages(): Promise<void> {
  const { sidebar, pages, files } = await makeSite();
  await rm(pagesFolder, { recursive: true, force: true });
  const write = async (name: string, put: (path: string) => Promise<void>) => {
    const path = join(pagesFolder, name);
    await mkdir(dirname(path), { recursive: true });
    await put(path);
  };
  for (const [name, text] of pages) await write(name, (path) => writeFile(path, text));
  for (const [name, from] of files) await write(name, (path) => cp(join(project, from), path));
  await write('sidebar.json', (path) => writeFile(path, JSON.stringify(sidebar)));
}

/** Checksum of all files in `folders`, and of the styles and packages that they are built with. */
async function digest(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const inFolders = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    }),
  );
  const others = ['apps/web/src/app/brand.css', 'package-lock.json'].map((file) => join(project, file));
  for (const path of [...inFolders.flat(), ...others].toSorted())
    hash.update(`${path}\n`).update(await readFile(path));
  return hash.digest('hex');
}
