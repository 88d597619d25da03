export { filterText, readFilterText } from './address-view.ts';
export { LoadingOverlay } from './loading-overlay.tsx';
