import { type RawCounts, H5adError, readSamples, type SampleColumns } from '@cellfolio/ingest';
import { mapDefaults, mapNumbersOf } from '@cellfolio/model';
import type { CountMatrix, Samples, ProcessSettings } from '@cellfolio/process';
import type { ProcessingChoice } from '@cellfolio/contract';
import { processingDefaults } from '@cellfolio/contract/work';

export function countMatrixOf(counts: RawCounts): CountMatrix {
  const { cellCount, geneCount, entryCount, geneNames, geneIds, chromosomes, by } = counts;
  return {
    cellCount,
    geneNames,
    ...(geneIds !== undefined && { geneIds }),
    ...(chromosomes !== undefined && { chromosomes }),
    by,
    blocks: counts.blocks(),
    // All values of a dense matrix would count as entries; how many are, shows while they are read.
    ...(entryCount < cellCount * geneCount && { entryCount }),
  };
}

export interface SamplesOf {
  column?: string;
  columns: readonly string[];
  samples?: Samples;
}

/** The samples whose thresholds are determined separately. Throws H5adError when the chosen column is unusable. */
export async function samplesOf(path: string, columnName: string | null | undefined): Promise<SamplesOf> {
  return named(await readSamples(path, columnName));
}

/** As `samplesOf`, but a missing column does not stop an inspection. */
export async function readFileSamples(
  path: string,
  columnName: string | null | undefined,
): Promise<SamplesOf> {
  try {
    return await samplesOf(path, columnName);
  } catch (error) {
    if (!(error instanceof H5adError) || error.code !== 'unknown-column') throw error;
    return samplesOf(path, undefined);
  }
}

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

/** The chosen settings; by default, combined samples have separate thresholds. */
export function processingOf({
  processing = {},
  combined,
}: {
  processing?: ProcessingChoice;
  combined?: unknown;
}): ProcessingChoice {
  return combined === undefined ? processing : { sampleColumn: 'sample', ...processing };
}

const everyCell = { deviations: 100, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

/**
 * The chosen settings over the defaults. Without `filtered` all cells stay, whatever was chosen. When cells were called
 * among empty droplets, low counts or genes remove none unless a number was chosen: the test has judged them already,
 * and cells with little RNA would be lost (as
 * https://bioconductor.org/books/release/OSCA.workflows/unfiltered-human-pbmcs-10x-genomics.html does).
 */
export function processingSettings(
  choice: ProcessingChoice,
  filtered: boolean,
  called = false,
): ProcessSettings {
  const { maximumMitochondrial } = choice;
  const { minimumCounts = called ? 0 : undefined, minimumGenes = called ? 0 : undefined } = choice;
  const quality = {
    deviations: choice.deviations ?? processingDefaults.deviations,
    ...(minimumCounts !== undefined && { minimumCounts }),
    ...(minimumGenes !== undefined && { minimumGenes }),
    ...(maximumMitochondrial !== undefined && { maximumMitochondrial }),
  };
  return {
    quality: filtered ? quality : everyCell,
    ...mapDefaults,
    ...mapNumbersOf(choice),
  };
}
