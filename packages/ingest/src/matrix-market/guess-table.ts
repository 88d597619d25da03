import { basename } from 'node:path';

export type TableKind = 'barcodes' | 'features';

export interface TableGuess {
  readonly kind: TableKind;
  /** Why, in words for the report. */
  readonly why: string;
}

const SHOWN = 2000;

/** Whether a .tsv file lists cells or genes, by its name and then by what it holds. Undefined where neither shows. */
export function guessTable(fileName: string, rows: readonly (readonly string[])[]): TableGuess | undefined {
  const name = basename(fileName).toLowerCase();
  if (/barcode|\bcells?\b/.test(name)) return { kind: 'barcodes', why: 'its name says so' };
  if (/feature|gene/.test(name)) return { kind: 'features', why: 'its name says so' };
  const sample = rows.slice(0, SHOWN);
  const share = (is: (row: readonly string[]) => boolean) =>
    sample.filter(is).length / Math.max(1, sample.length);
  if (share(([first = '']) => isBarcode(first)) > 0.5)
    return { kind: 'barcodes', why: 'its first column holds barcodes of bases' };
  if (share(([first = '']) => isEnsemblId(first)) > 0.5)
    return { kind: 'features', why: 'its first column holds Ensembl ids' };
  if (share((row) => row.some((field) => /^Gene Expression$/i.test(field))) > 0.5)
    return { kind: 'features', why: 'it says Gene Expression' };
  return undefined;
}

/** Whether the first line of a table may hold titles; where it names a cell or a gene as machines do, it does not. */
export function mayHoldTitles([first = '']: readonly string[]): boolean {
  return !isBarcode(first) && !isEnsemblId(first);
}

const isBarcode = (text: string): boolean => /^[ACGTN]{8,}([-_]\w+)?$/.test(text);
const isEnsemblId = (text: string): boolean => /^ENS[A-Z]*G\d{6,}/.test(text);
