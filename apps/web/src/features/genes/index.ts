export type { GeneIndex, MendedGene, ReadGenes } from './gene-index.ts';
export { otherNamesQuery, useFindGenes } from './find-genes.ts';
export { indexGenes, isGeneList, pastedNames, readGenes, suggestGenes } from './gene-index.ts';
export type { GeneSearchProps } from './gene-search.tsx';
export { GeneSearch, renamedText } from './gene-search.tsx';
export { GeneChips } from './gene-chips.tsx';
export { GeneLinksMenu } from './gene-links-menu.tsx';
