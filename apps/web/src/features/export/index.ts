export { ExportPanel } from './export-panel.tsx';
export type { Signature } from './score-fields.tsx';
export { scoredSignatures } from './score-fields.tsx';
