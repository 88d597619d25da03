export { geneListsQuery } from './gene-list-calls.ts';
export { GeneListMenu } from './gene-list-menu.tsx';
export { GeneListsPanel } from './gene-lists-panel.tsx';
export { GenePicker } from './gene-picker.tsx';
export { SaveGenes } from './save-genes.tsx';
