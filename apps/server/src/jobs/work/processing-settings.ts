import type { ProcessingChoice } from '@cellfolio/contract';
import { defaultSettings, type ProcessSettings } from '@cellfolio/process';

/** Lets every cell pass. */
const everyCell = { deviations: 100, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 };

/** What was chosen, over the defaults. Without `filtered` all cells stay, whatever was chosen of them. */
export function processingSettings(choice: ProcessingChoice, filtered: boolean): ProcessSettings {
  const { deviations, minimumCounts, minimumGenes, maximumMitochondrial } = choice;
  const { variableGenes, components, neighbours, resolution, minimumDistance } = choice;
  const quality = {
    ...defaultSettings.quality,
    ...(deviations !== undefined && { deviations }),
    ...(minimumCounts !== undefined && { minimumCounts }),
    ...(minimumGenes !== undefined && { minimumGenes }),
    ...(maximumMitochondrial !== undefined && { maximumMitochondrial }),
  };
  return {
    quality: filtered ? quality : everyCell,
    variableGenes: variableGenes ?? defaultSettings.variableGenes,
    components: components ?? defaultSettings.components,
    neighbours: neighbours ?? defaultSettings.neighbours,
    resolution: resolution ?? defaultSettings.resolution,
    minimumDistance: minimumDistance ?? defaultSettings.minimumDistance,
  };
}
