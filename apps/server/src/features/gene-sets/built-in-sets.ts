import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type GeneSetColumns, readGmt } from '@cellfolio/analysis';
import type { BuiltInLibrary } from './offered-libraries.ts';

const decompress = promisify(brotliDecompress);
const decoder = new TextDecoder();

/** The sets of a built-in library: GO takes some 10 ms and 4 MB, the others less. Nothing is kept. */
export async function builtInSets({ file }: Pick<BuiltInLibrary, 'file'>): Promise<GeneSetColumns> {
  const bytes = await readFile(new URL(`./built-in/${file}`, import.meta.url));
  return file.endsWith('.gmt') ? readGmt(decoder.decode(bytes), file).sets : unpackGeneSets(bytes);
}

/**
 * Reads gene sets in our compact form: brotli over a line of the symbols in alphabetical order, a line of the names of
 * the sets (both with tabs between), and for each set the number of its genes and the steps from one to the next in
 * the line of symbols, less one, as integers of seven bits a byte (the eighth says that more follows). Written by
 * `fixtures/gene-sets/pack-gene-sets.ts`. A sixth of the GMT text. Throws where the bytes are cut or changed.
 */
export async function unpackGeneSets(packed: Uint8Array): Promise<GeneSetColumns> {
  const bytes = await decompress(packed);
  const symbolsEnd = bytes.indexOf(newLine);
  const namesEnd = bytes.indexOf(newLine, symbolsEnd + 1);
  if (symbolsEnd < 0 || namesEnd < 0) throw new RangeError('The gene sets lack a line.');
  const symbols = decoder.decode(bytes.subarray(0, symbolsEnd)).split('\t');
  const names = decoder.decode(bytes.subarray(symbolsEnd + 1, namesEnd)).split('\t');
  const starts = new Int32Array(names.length + 1);
  // No gene takes less than a byte.
  const genes = new Int32Array(bytes.length - namesEnd);
  let at = namesEnd + 1;
  let end = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (at === bytes.length) throw new RangeError('The gene sets break off.');
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let set = 0; set < names.length; set++) {
    let gene = -1;
    for (let left = next(); left > 0; left--) {
      gene += next() + 1;
      if (gene >= symbols.length) throw new RangeError('The gene sets name a gene that is not there.');
      genes[end++] = gene;
    }
    starts[set + 1] = end;
  }
  if (at !== bytes.length) throw new RangeError('The gene sets go on after their end.');
  return { names, starts, genes: genes.slice(0, end), symbols };
}

const newLine = 0x0a;
