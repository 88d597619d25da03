export { CellxgenePanel } from './cellxgene-panel.tsx';
