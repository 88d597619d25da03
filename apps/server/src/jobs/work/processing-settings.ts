import { processingDefaults, type ProcessingChoice } from '@cellfolio/contract';
import type { ProcessSettings } from '@cellfolio/process';

/** Lets every cell pass. */
const everyCell = { deviations: 100, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

/** What was chosen, over the defaults. Without `filtered` all cells stay, whatever was chosen of them. */
export function processingSettings(choice: ProcessingChoice, filtered: boolean): ProcessSettings {
  const { minimumCounts, minimumGenes, maximumMitochondrial } = choice;
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
