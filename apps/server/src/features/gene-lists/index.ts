export { GeneLists } from './gene-lists.ts';
