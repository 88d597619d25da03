export { CellExport } from './cell-export.ts';
