import type { StoredLibraries } from './stored-libraries.ts';

/** Adds a library from the text of a GMT file, or replaces it. */
export function addLibrary(libraries: StoredLibraries, name: string, text: string): Promise<unknown> {
  return libraries.put({
    name,
    bytes: new TextEncoder().encode(text),
    source: 'file',
    origin: `${name}.gmt`,
    replace: true,
  });
}
