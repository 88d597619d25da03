import type { ReadGenes } from '@/features/genes/index.ts';
import { renamedText } from '@/features/genes/index.ts';
import { counted, formatCount, nameList } from '@/lib/format.ts';

const saidNames = 10;

/** Corrections of gene names, in sentences; empty without any. */
export function mendedText({ mended }: Pick<ReadGenes, 'mended'>): string {
  return mended.length === 0 ? '' : `${renamedText(mended)}.`;
}

/** Names that the dataset lacks; empty without any. */
export function missingText({ missing }: Pick<ReadGenes, 'missing'>): string {
  return missing.length === 0
    ? ''
    : `${formatCount(missing.length)} not in this dataset: ${nameList(missing, saidNames)}.`;
}

export function repeatedText({ repeated }: Pick<ReadGenes, 'repeated'>): string {
  return repeated.length === 0 ? '' : `Given more than once: ${nameList(repeated, saidNames)}.`;
}

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

/** The name, numbered if it is taken. */
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
