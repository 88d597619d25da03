import { comparisonParameters, endsParameters } from '@cellfolio/analysis/parameters';
import type { EndHistogram } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';

const { samples, min_sample_cells } = comparisonParameters.shape;

/** What figures of the ends of a ranking are asked by. */
export const endsFields = { ...endsParameters.shape, samples, min_sample_cells };

const fields = z.object(endsFields);
/** Which cells are at the ends. */
export type EndsQuestion = z.output<typeof fields>;

/** The cells with the highest and the lowest values, as figures show them. */
export interface EndsInput {
  /** What cells were ranked by. */
  readonly title: string;
  /** Percent of the cells of a sample in each end, as asked. */
  readonly share: number;
  /** The column that cells were ranked within, and the samples that are compared; undefined where there is none. */
  readonly samples: { readonly column: string; readonly count: number } | undefined;
  /** Of every cell: 0 in the highest end, 1 in the lowest, else 2. */
  readonly sides: Uint8Array;
  readonly high: EndCount;
  readonly low: EndCount;
  readonly histogram: EndHistogram;
}

interface EndCount {
  readonly cells: number;
  /** Of the ranked cells, from 0 to 1. */
  readonly share: number;
  readonly tied: number;
}

/** What the ends are of. */
export function endsTitle({ by }: Pick<EndsQuestion, 'by'>): string {
  if (by.of === 'gene') return by.gene;
  if (by.of === 'column') return by.column;
  return by.of === 'signature' ? by.score_name : by.cell_state;
}

/** `highest and lowest 10 % within each of 8 samples (donor)`. */
export function endsText({ share, samples }: Pick<EndsInput, 'share' | 'samples'>): string {
  const where = samples
    ? `within each of ${samples.count} samples (${columnTitle(samples.column)})`
    : 'of all cells';
  return `highest and lowest ${share} % ${where}`;
}
