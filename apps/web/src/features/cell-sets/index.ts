export { CellSetsPanel } from './cell-sets-panel.tsx';
