export type { GeneIndex } from './gene-index.ts';
export { indexGenes } from './gene-index.ts';
export { GenePicker } from './gene-picker.tsx';
