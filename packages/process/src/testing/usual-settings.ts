import type { ProcessSettings } from '../settings.ts';

/** What most datasets are processed with. */
export const usualSettings: ProcessSettings = {
  quality: { deviations: 5 },
  variableGenes: 2000,
  components: 50,
  neighbours: 15,
  resolution: 1,
  minimumDistance: 0.3,
};
