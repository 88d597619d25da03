import { processingDefaults, type ProcessingChoice } from '@cellfolio/contract';
import type { ProcessSettings } from '@cellfolio/process';

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
