export type {
  AnalysisChoice,
  AnalysisModule,
  FigurePanelProps,
  FigureThresholds,
  NothingFound,
} from './analysis-module.ts';
export { defineAnalysis } from './analysis-module.ts';
export { ThresholdFields } from './result-limits.tsx';
export { CompareResultsDialog } from './compare-results-dialog.tsx';
export { ResultsDialog } from './results-dialog.tsx';
export { RunAnalysisPanel } from './run-analysis-panel.tsx';
export type { AnalysisRuns } from './use-analysis-runs.ts';
export { useAnalysisRuns } from './use-analysis-runs.ts';
export { NumberField, numberOrZero, numberParameter, numberProblem } from './number-field.tsx';
