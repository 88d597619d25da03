export { GeneFinder } from './gene-finder.ts';
export { GroupedGenes } from './grouped-genes.ts';
