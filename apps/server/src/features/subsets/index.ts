export { CellMasks, checkNames } from './cell-masks.ts';
