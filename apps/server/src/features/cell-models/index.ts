export { CellClassifications } from './classifications.ts';
export { hasModels, ModelFiles } from './model-files.ts';
