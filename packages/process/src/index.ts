export type { CountBlock, CountMatrix } from './count-matrix.ts';
export {
  callCells,
  drawsNeeded,
  inspectDroplets,
  MOST_DRAWS,
  type CalledCells,
  type Droplets,
} from './droplets/call-cells.ts';
export type { DropletCounts } from './droplets/droplet-counts.ts';
export { FEWEST_EMPTY } from './droplets/holds-empty-droplets.ts';
export { onlyCells } from './droplets/only-cells.ts';
export { ProcessError, type ProcessErrorCode } from './errors.ts';
export { memoryNeeded } from './memory-needed.ts';
export { processCounts, type ProcessOptions } from './process-counts.ts';
export type { ProcessPart, ProcessProgress, ProcessResult, QualityReport } from './process-result.ts';
export type { CellMeasures } from './quality/cell-measures.ts';
export type { Spreads } from './quality/deviation-limits.ts';
export type { GeneFacts } from './quality/gene-kinds.ts';
export { qualityHistograms, type QualityHistograms } from './quality/histograms.ts';
export { measureCounts } from './quality/measure-counts.ts';
export { planQuality, type QualityGroup, type QualityPlan, type Samples } from './quality/plan-quality.ts';
export { qualityCautions } from './quality/quality-cautions.ts';
export { removedText } from './quality/removed-text.ts';
export { removedTogether, type RemovedTogether } from './quality/removed-together.ts';
export type { ProcessSettings, QualitySettings } from './settings.ts';
