export type { AnalysisChoice, AnalysisModule, FigurePanelProps, NothingFound } from './analysis-module.ts';
export { defineAnalysis } from './analysis-module.ts';
export { useSaveResult } from './result-downloads.tsx';
export { DrawnFigure } from './result-figure.tsx';
export { ResultsDialog } from './results-dialog.tsx';
export { RunAnalysisPanel } from './run-analysis-panel.tsx';
export type { AnalysisRuns } from './use-analysis-runs.ts';
export { useAnalysisRuns } from './use-analysis-runs.ts';
export { NumberField, numberOrZero, numberParameter, numberProblem } from './number-field.tsx';
