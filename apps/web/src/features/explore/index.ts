export { filterText, readFilterText } from './address-view.ts';
export { BeforeExplorer, ExplorerPage } from './explorer-page.tsx';
export { LoadingOverlay } from './loading-overlay.tsx';
