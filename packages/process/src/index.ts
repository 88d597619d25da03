export { type AliasTable, aliasTable } from './alias-table.ts';
export {
  type CombineOptions,
  type CountBlock,
  type CountMatrix,
  ProcessError,
  type ProcessErrorCode,
  type ProcessSettings,
  type Samples,
} from './process-input.ts';
export {
  callCells,
  drawsNeeded,
  type Droplets,
  minEmptyDroplets,
  inspectDroplets,
  maxDraws,
} from './droplets/call-cells.ts';
export { type DropletCounts, onlyCells } from './droplets/droplet-counts.ts';
export type { DoubletReport } from './doublets/find-doublets.ts';
export { mergedGroups } from './integration/kept-apart.ts';
export { batchMethods } from './integration/batch-methods.ts';
export { type NeighbourGraph, neighbourGraph } from './neighbour-graph.ts';
export { memoryNeeded, processCounts, processingMethods, type ProcessOptions } from './process-counts.ts';
export type {
  Clustering,
  Integration,
  ProcessPart,
  ProcessProgress,
  ProcessResult,
  QualityReport,
} from './process-result.ts';
export { type CellMeasures, measureCounts } from './quality/cell-measures.ts';
export { planQuality, type QualityGroup, type QualityPlan } from './quality/plan-quality.ts';
export { qualityHistograms } from './quality/histograms.ts';
export { qualityCautions, removedText, type RemovedTogether } from './quality/quality-cautions.ts';
export { removedTogether } from './quality/removed-together.ts';
