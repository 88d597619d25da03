import { H5adError, readSamples, type SampleColumns } from '@cellfolio/ingest';
import type { Samples } from '@cellfolio/process';

export interface SamplesOf {
  readonly column?: string;
  readonly columns: readonly string[];
  readonly samples?: Samples;
}

/** The samples whose thresholds are found apart. Throws H5adError where the column that was chosen cannot be taken. */
export async function samplesOf(path: string, wanted: string | null | undefined): Promise<SamplesOf> {
  return named(await readSamples(path, wanted));
}

/** As `samplesOf`; a column that is not there any more is no reason not to look at a file. */
export async function samplesFound(path: string, wanted: string | null | undefined): Promise<SamplesOf> {
  try {
    return await samplesOf(path, wanted);
  } catch (error) {
    if (!(error instanceof H5adError) || error.code !== 'unknown-column') throw error;
    return samplesOf(path, undefined);
  }
}

/** The samples of some of the cells. */
export function samplesAmong(
  samples: Samples | undefined,
  cells: Int32Array | undefined,
): Samples | undefined {
  if (samples === undefined || cells === undefined) return samples;
  return { ...samples, codes: cells.map((cell) => samples.codes[cell]!) };
}

function named({ column, columns, samples }: SampleColumns): SamplesOf {
  return {
    columns,
    ...(column !== undefined && { column }),
    ...(samples && { samples: { codes: samples.codes, names: samples.categories } }),
  };
}
