import { type RawCounts, H5adError, readSamples, type SampleColumns } from '@cellfolio/ingest';
import type { CountMatrix, Samples, ProcessSettings } from '@cellfolio/process';
import type { ProcessingChoice } from '@cellfolio/contract';
import { processingDefaults } from '@cellfolio/contract/work';

/** The raw counts of a file, to be read once more from front to back. */
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

/** What was chosen; samples that were combined have thresholds of their own unless told. */
export function processingOf({
  processing = {},
  combined,
}: {
  readonly processing?: ProcessingChoice;
  readonly combined?: unknown;
}): ProcessingChoice {
  return combined === undefined ? processing : { sampleColumn: 'sample', ...processing };
}

/** Lets every cell pass. */
const everyCell = { deviations: 100, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

/**
 * What was chosen, over the defaults. Without `filtered` all cells stay, whatever was chosen of them. Where cells were
 * called among empty droplets, few counts or genes take none away unless a number was chosen: the test has looked at
 * them, and cells of little RNA would go (as
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
    variableGenes: choice.variableGenes ?? processingDefaults.variableGenes,
    components: choice.components ?? processingDefaults.components,
    neighbours: choice.neighbours ?? processingDefaults.neighbours,
    resolution: choice.resolution ?? processingDefaults.resolution,
    minimumDistance: choice.minimumDistance ?? processingDefaults.minimumDistance,
  };
}
