import type { IntegrationChoice, SamplesChoice } from './processing.ts';
import { fileSamplesDefaults, samplesDefaults } from './processing-defaults.ts';

type Done = Omit<SamplesChoice, 'doubletThreshold'>;
type SamplesDone = { readonly [K in keyof Done]-?: NonNullable<Done[K]> } & {
  /** Absent: found in each sample. */
  readonly doubletThreshold?: number;
};

/** What is done with samples: as chosen, else by default. */
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

/** What is chosen of the samples among some cells of a dataset. */
export interface PartChoice {
  /** How its values are mixed; by default as samples are that are combined. */
  integrate?: IntegrationChoice | undefined;
  /** Column whose values are mixed; absent: nothing is integrated. */
  batchColumn?: string | undefined;
  /** Of further clusterings. */
  resolutions: readonly number[];
}

/** The choice of a build as that of a part, which is integrated only where that was chosen. */
export function partChoice(samples: SamplesChoice = {}): PartChoice {
  const { integrate, batchColumn, resolutions } = samplesDone(samples);
  const integrates = samples.integrate !== undefined && integrate !== 'none';
  return { resolutions, ...(integrates && { integrate, batchColumn }) };
}

/** And back; doublets are looked for among all cells of a sample, never among some. */
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
