export { DatasetLibraries } from './dataset-libraries.ts';
export { GeneBackgrounds } from './gene-backgrounds.ts';
