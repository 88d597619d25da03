import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The table that comes with the source; `fixtures/orthologues/pack-orthologues.ts` says how its pairs were chosen. */
export const builtInOrthologues = {
  from: 'human',
  to: 'mouse',
  origin: 'HCOP of January 2024, one-to-one',
  licence: 'CC0 1.0',
  pairCount: 17_280,
  /** SHA-256 of the file. */
  version: '67391aba8b1e98f70b91603313dcab8e6859c20b00ff8a566c8cc5506fbe978e',
} as const;

const decompress = promisify(brotliDecompress);

/** Symbols of both species, a pair a line, of which each is in one pair alone. */
export async function builtInPairs(): Promise<[from: string, to: string][]> {
  const bytes = await readFile(new URL('./built-in/human-mouse.orthologues', import.meta.url));
  return (await decompress(bytes))
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t') as [string, string]);
}
