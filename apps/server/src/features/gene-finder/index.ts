export { GeneFinder } from './gene-finder.ts';
