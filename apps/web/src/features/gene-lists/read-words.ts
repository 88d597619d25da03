import type { ReadGenes } from '@/features/genes/index.ts';
import { renamedText } from '@/features/genes/index.ts';
import { counted, formatCount, nameList } from '@/lib/format.ts';

/** Names said at once. */
const saidNames = 10;

/** What was mended in names of genes, in sentences; empty where nothing was. */
export function mendedText({ mended }: Pick<ReadGenes, 'mended'>): string {
  return mended.length === 0 ? '' : `${renamedText(mended)}.`;
}

/** Which names the dataset does not have; empty where it has all. */
export function missingText({ missing }: Pick<ReadGenes, 'missing'>): string {
  return missing.length === 0
    ? ''
    : `${formatCount(missing.length)} not in this dataset: ${nameList(missing, saidNames)}.`;
}

export function repeatedText({ repeated }: Pick<ReadGenes, 'repeated'>): string {
  return repeated.length === 0 ? '' : `Given more than once: ${nameList(repeated, saidNames)}.`;
}

/** What became of the genes of a list that were put into a box. */
export function addedText(name: string, read: ReadGenes, added: number): string {
  const known = read.genes.length - added;
  return [
    `${name}: ${counted(added, 'gene')} added${known > 0 ? `, ${formatCount(known)} chosen already` : ''}.`,
    mendedText(read),
    missingText(read),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The name, with a number behind it where it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const ending = (n: number) => (n === 1 ? '' : ` (${n})`);
  let n = 1;
  let free: string;
  do {
    free = `${name.slice(0, 100 - ending(n).length).trimEnd()}${ending(n)}`;
    n++;
  } while (taken.has(free));
  return free;
}
