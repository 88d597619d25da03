export { GeneListMenu } from './gene-list-menu.tsx';
export { GeneListsPanel } from './gene-lists-panel.tsx';
export { geneLists } from './gene-lists.ts';
export { GenePicker } from './gene-picker.tsx';
export { SaveGenes } from './save-genes.tsx';
