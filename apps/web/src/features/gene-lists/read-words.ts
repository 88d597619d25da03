import type { ReadGenes } from '@/features/genes/index.ts';
import { renamedText } from '@/features/genes/index.ts';
import { formatCount, nameList, plural } from '@/lib/format.ts';

const maxNamesListed = 10;

/** Corrections of gene names, in sentences; empty without any. */
export function mendedText({ mended }: Pick<ReadGenes, 'mended'>): string {
  return mended.length === 0 ? '' : `${renamedText(mended)}.`;
}

/** Names that the dataset lacks; empty without any. */
export function missingText({ missing }: Pick<ReadGenes, 'missing'>): string {
  return missing.length === 0
    ? ''
    : `${formatCount(missing.length)} not in this dataset: ${nameList(missing, maxNamesListed)}.`;
}

export function repeatedText({ repeated }: Pick<ReadGenes, 'repeated'>): string {
  return repeated.length === 0 ? '' : `Given more than once: ${nameList(repeated, maxNamesListed)}.`;
}

export function addedText(name: string, read: ReadGenes, added: number): string {
  const alreadyChosen = read.genes.length - added;
  return [
    `${name}: ${plural(added, 'gene')} added${alreadyChosen > 0 ? `, ${formatCount(alreadyChosen)} chosen already` : ''}.`,
    mendedText(read),
    missingText(read),
  ]
    .filter(Boolean)
    .join(' ');
}
