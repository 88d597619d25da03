import type { IntegrationChoice, SamplesChoice } from './processing.ts';
import { fileSamplesDefaults, samplesDefaults } from './processing-defaults.ts';

type Done = Omit<SamplesChoice, 'doubletThreshold'>;
type SamplesDone = { readonly [K in keyof Done]-?: NonNullable<Done[K]> } & {
  /** Absent: detected in each sample. */
  doubletThreshold?: number;
};

export function samplesDone(chosen: SamplesChoice = {}): SamplesDone {
  const { doublets, doubletThreshold, integrate, batchColumn, resolutions } = chosen;
  return {
    doublets: doublets ?? samplesDefaults.doublets,
    ...(doubletThreshold !== undefined && { doubletThreshold }),
    integrate: integrate ?? samplesDefaults.integrate,
    batchColumn: batchColumn ?? samplesDefaults.batchColumn,
    resolutions: resolutions ?? [...samplesDefaults.resolutions],
  };
}

/** Steps for the samples within one file; undefined for none. */
export function samplesOfFile(chosen: SamplesChoice): SamplesDone | undefined {
  const done = samplesDone({ ...fileSamplesDefaults, ...chosen });
  const { doublets, integrate, resolutions } = done;
  return doublets === 'keep' && integrate === 'none' && resolutions.length === 0 ? undefined : done;
}

export interface PartChoice {
  /** Integration method; the default is that of combined samples. */
  integrate?: IntegrationChoice | undefined;
  /** Batch column; absent: nothing is integrated. */
  batchColumn?: string | undefined;
  resolutions: readonly number[];
}

/** Converts a build's choice to a part's, which is integrated only if that was chosen. */
export function partChoice(samples: SamplesChoice = {}): PartChoice {
  const { integrate, batchColumn, resolutions } = samplesDone(samples);
  const integrates = samples.integrate !== undefined && integrate !== 'none';
  return { resolutions, ...(integrates && { integrate, batchColumn }) };
}

/** Reverse of `partChoice`; doublets are searched among all cells of a sample, never within a part. */
export function samplesOfPart({
  integrate = samplesDefaults.integrate,
  batchColumn,
  resolutions,
}: PartChoice): SamplesChoice {
  return {
    doublets: 'keep',
    integrate: batchColumn === undefined ? 'none' : integrate,
    ...(batchColumn !== undefined && { batchColumn }),
    resolutions: [...resolutions],
  };
}
