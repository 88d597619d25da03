export { cellTypeAnalysis, suggestCellTypes } from './cell-type-analysis.ts';
export {
  ApplyBar,
  GroupCheckbox,
  GroupLabelInput,
  type GroupLabels,
  useGroupLabels,
} from './group-labels.tsx';
