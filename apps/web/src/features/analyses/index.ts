export type {
  AnalysisModule,
  AnalysisView,
  FactsProps,
  FigurePanelProps,
  FigureThresholds,
  FollowUpResult,
  RunBefore,
} from './analysis-module.ts';
export { defineAnalysis, defineView } from './analysis-module.ts';
export { figureOf, type NothingFound } from './read-answer.ts';
export { CellTestFields } from './cell-test-fields.tsx';
export { ChoiceField } from './choice-field.tsx';
export { ListField, useOfferedLists } from './list-field.tsx';
export { type ListSource, listSources, ownListChoice, ownListProblem } from './list-sources.ts';
export { ComponentsNote } from './components-note.tsx';
export { DownloadFigure } from './download-figure.tsx';
export { DrawnFigure } from './result-figure.tsx';
export { FigureChoice, figuresOfKinds, type OfferedFigure } from './figure-choice.tsx';
export { ThresholdFields } from './result-limits.tsx';
export { FactRows, ResultFacts } from './result-facts.tsx';
export { ResultsDock, tabName } from './results-dock.tsx';
export { comparableWith } from './compare-with.tsx';
export { keptName, keptSummary } from './kept-analyses.ts';
export type { GenesOnMap } from './draw-genes.tsx';
export type { SelectedCells } from './result-view.tsx';
export { RunAnalysisPanel } from './run-analysis-panel.tsx';
export type { AnalysisRuns } from './use-analysis-runs.ts';
export { useAnalysisRuns } from './use-analysis-runs.ts';
export {
  areValid,
  NumberField,
  NumberFields,
  numberOrZero,
  numberParameter,
  numberProblem,
  shareOf,
  standardsOf,
} from './number-field.tsx';
export { useSaveResult } from './use-save-result.ts';
