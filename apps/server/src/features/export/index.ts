export { CellExport } from './cell-export.ts';
export { DatasetExport } from './dataset/dataset-export.ts';
export { attachment } from './attachment.ts';
