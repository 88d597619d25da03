import type { EndsRecord } from '@cellfolio/analyses';
import type { ResultCaution } from '@cellfolio/model';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { LocatedEnds } from './tasks.ts';

export interface RankedEnds extends LocatedEnds {
  /** The ranking variable in words: short, and in full. */
  title: string;
  rankedBy: string;
  /** Requested percentage in each end. */
  share: number;
  minCells: number;
  sampleColumn: SampleColumn | undefined;
  groupColumn: string | undefined;
  untested: readonly { row: number; symbol: string }[];
  scoreCautions: readonly ResultCaution[];
}

export type RankedSample = RankedEnds['samples'][number];

export type EndCount = EndsRecord['high'];

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
