export { ExportCellsPanel } from './export-cells-panel.tsx';
export type { Signature } from './score-fields.tsx';
export { scoredSignatures } from './score-fields.tsx';
