export { GeneChips } from './gene-chips.tsx';
export type { GeneIndex } from './gene-index.ts';
export { indexGenes } from './gene-index.ts';
export { GeneSearch } from './gene-search.tsx';
