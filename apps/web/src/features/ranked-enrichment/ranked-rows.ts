import type { RankedEnrichmentAnswer } from '@cellfolio/contract';
import type { FigurePanelProps } from '@/features/analyses/index.ts';

/** A tested set as the table has it. */
export interface RankedRow {
  readonly term: string;
  readonly nes: number;
  /** NaN where there is none. */
  readonly fdr: number;
  readonly size: number;
  /** Genes of the leading edge, the most extreme first. */
  readonly leading: readonly string[];
}

/** The sets that have a normalised score, in the order of the table. */
export function rankedRows(columns: FigurePanelProps<unknown>['columns']): RankedRow[] {
  const texts = columns.get('Term')?.texts ?? [];
  const numbers = (name: string) => columns.get(name)?.numbers;
  const [nes, fdr, size] = [numbers('NES'), numbers('FDR q-val'), numbers('Size')];
  const lead = columns.get('Lead_genes')?.texts;
  return texts.flatMap((term, row) => {
    const score = nes?.[row] ?? Number.NaN;
    if (Number.isNaN(score)) return [];
    const leading = (lead?.[row] ?? '').split(';').filter((gene) => gene !== '');
    return [{ term, nes: score, fdr: fdr?.[row] ?? Number.NaN, size: size?.[row] ?? 0, leading }];
  });
}

/** Three digits of a rate; a 0 of permutations is said as what it is below. */
export function boundedText(
  rate: number,
  { method, permutations }: Pick<RankedEnrichmentAnswer, 'method' | 'permutations'>,
): string {
  if (Number.isNaN(rate)) return '–';
  if (rate === 0) return method === 'permutation' ? `< ${1 / permutations}` : '0';
  return rate >= 0.001 ? rate.toFixed(3) : rate.toExponential(1).replace('e-', 'e−');
}
