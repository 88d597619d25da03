export { LoadingOverlay } from './loading-overlay.tsx';
export { filterText, readFilterText } from './view-address.ts';
