import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Version of scran.js as installed: numbers can differ from one to the next. */
export async function libraryVersion(): Promise<string> {
  const main = fileURLToPath(import.meta.resolve('scran.js'));
  const file = new URL('../package.json', `file://${main}`);
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
