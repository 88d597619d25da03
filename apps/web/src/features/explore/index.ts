export { BeforeExplorer } from './before-explorer.tsx';
export { ExplorerPage } from './explorer-page.tsx';
export { LoadingOverlay } from './loading-overlay.tsx';
export { filterText, readFilterText } from './view-address.ts';
