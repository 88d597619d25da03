export { filterText, readFilterText } from './address-texts.ts';
export { LoadingOverlay } from './loading-overlay.tsx';
