import type { RankedEnrichmentAnswer } from '@cellfolio/contract';
import { numbersOf, type TableColumns, textAt, textsOf } from '@/features/tables/index.ts';

export interface RankedRow {
  term: string;
  nes: number;
  /** NaN if undefined. */
  fdr: number;
  size: number;
  /** Genes of the leading edge, the most extreme first. */
  leading: readonly string[];
}

export function rankedRows({ columns, rowCount }: TableColumns): RankedRow[] {
  const [terms, lead] = [textsOf(columns, 'Term'), textsOf(columns, 'Lead_genes')];
  const numbers = (name: string) => numbersOf(columns, name);
  const [nes, fdr, size] = [numbers('NES'), numbers('FDR q-val'), numbers('Size')];
  const rows: RankedRow[] = [];
  if (terms === undefined) return rows;
  for (let row = 0; row < rowCount; row++) {
    const score = nes?.[row] ?? Number.NaN;
    if (Number.isNaN(score)) continue;
    const leading = (lead === undefined ? '' : textAt(lead, row)).split(';').filter((gene) => gene !== '');
    const term = textAt(terms, row);
    rows.push({ term, nes: score, fdr: fdr?.[row] ?? Number.NaN, size: size?.[row] ?? 0, leading });
  }
  return rows;
}

/** Three digits of a rate; a 0 from permutations is shown as an upper bound. */
export function boundedText(
  rate: number,
  { method, permutations }: Pick<RankedEnrichmentAnswer, 'method' | 'permutations'>,
): string {
  if (Number.isNaN(rate)) return '–';
  if (rate === 0) return method === 'permutation' ? `< ${1 / permutations}` : '0';
  return rate >= 0.001 ? rate.toFixed(3) : rate.toExponential(1).replace('e-', 'e−');
}
