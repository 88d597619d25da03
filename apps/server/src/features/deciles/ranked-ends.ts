import type { ResultCaution } from '@cellfolio/model';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { FoundEnds } from './tasks.ts';

/** The ends of what cells were ranked by, with all that is said of them. */
export interface RankedEnds extends FoundEnds {
  /** What the cells were ranked by, in words: short, and at length. */
  readonly title: string;
  readonly rankedBy: string;
  /** Percent in each end, as asked. */
  readonly share: number;
  /** Fewest cells of a sample in each end. */
  readonly minCells: number;
  readonly sampleColumn: SampleColumn | undefined;
  /** The column of obs that the composition is of. */
  readonly groupColumn: string | undefined;
  /** Genes that chose the cells. */
  readonly untested: readonly { readonly row: number; readonly symbol: string }[];
  /** Of the score that cells were ranked by. */
  readonly scoreCautions: readonly ResultCaution[];
}

export type RankedSample = RankedEnds['samples'][number];

/** One end of all samples that are compared. */
export interface EndCount {
  readonly cells: number;
  /** Of the ranked cells of these samples, from 0 to 1. */
  readonly share: number;
  /** Cells that are tied with the last one taken of their sample, none where it is tied with no other. */
  readonly tied: number;
}

export function comparedSamples({ samples }: Pick<RankedEnds, 'samples'>): RankedSample[] {
  return samples.filter(({ leftOut }) => leftOut === undefined);
}

export function endCount(ends: Pick<RankedEnds, 'samples'>, side: 'high' | 'low'): EndCount {
  const own = comparedSamples(ends);
  const sum = (count: (sample: RankedSample) => number) =>
    own.reduce((total, sample) => total + count(sample), 0);
  const cells = sum((sample) => sample[side].cells);
  return {
    cells,
    share: cells / sum((sample) => sample.cells),
    tied: sum((sample) => (sample[side].tied > 1 ? sample[side].tied : 0)),
  };
}
