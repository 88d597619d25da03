import { samplesDone } from '@cellfolio/contract';
import type { SamplesChoice } from '@cellfolio/contract';

/** What is chosen of the samples among some cells of a dataset. */
export interface PartChoice {
  /** Column whose values Harmony mixes; absent: nothing is integrated. */
  batchColumn?: string;
  /** Of further clusterings. */
  resolutions: readonly number[];
}

/** The choice of a build as that of a part. */
export function partChoice(samples: SamplesChoice = {}): PartChoice {
  const { integrate, batchColumn, resolutions } = samplesDone(samples);
  const integrates = samples.integrate !== undefined && integrate === 'harmony';
  return { resolutions, ...(integrates && { batchColumn }) };
}

/** And back; doublets are looked for among all cells of a sample, never among some. */
export function samplesOfPart({ batchColumn, resolutions }: PartChoice): SamplesChoice {
  return {
    doublets: 'keep',
    integrate: batchColumn === undefined ? 'none' : 'harmony',
    ...(batchColumn !== undefined && { batchColumn }),
    resolutions: [...resolutions],
  };
}
