import { comparisonParameters, endsParameters } from '@cellfolio/analysis/parameters';
import type { EndHistogram } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';

const { samples, min_sample_cells } = comparisonParameters.shape;

export const endsFields = { ...endsParameters.shape, samples, min_sample_cells };

const fields = z.object(endsFields);
export type EndsQuestion = z.output<typeof fields>;

export interface EndsInput {
  title: string;
  /** Requested per cent of a sample's cells in each end. */
  share: number;
  /** Column that cells were ranked within, and the number of compared samples; undefined without one. */
  samples: { column: string; count: number } | undefined;
  /** Per cell: 0 in the highest end, 1 in the lowest, else 2. */
  sides: Uint8Array;
  high: EndCount;
  low: EndCount;
  histogram: EndHistogram;
}

interface EndCount {
  cells: number;
  share: number;
  tied: number;
}

export function endsTitle({ by }: Pick<EndsQuestion, 'by'>): string {
  if (by.of === 'gene') return by.gene;
  if (by.of === 'column') return by.column;
  return by.of === 'signature' ? by.score_name : by.cell_state;
}

/** Example: `highest 10 % and lowest 66 % within each of 8 samples (donor)`, where ties make an end larger than asked. */
export function endsText({
  share,
  samples,
  high,
  low,
}: Pick<EndsInput, 'share' | 'samples' | 'high' | 'low'>): string {
  const where = samples
    ? `within each of ${samples.count} samples (${columnTitle(samples.column)})`
    : 'of all cells';
  const shares = [high, low].map((end) => Math.round(100 * end.share));
  return shares.every((actual) => Math.abs(actual - share) <= 1)
    ? `highest and lowest ${share} % ${where}`
    : `highest ${shares[0]} % and lowest ${shares[1]} % ${where}`;
}
