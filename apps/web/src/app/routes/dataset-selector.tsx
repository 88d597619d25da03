export { DatasetSelectorPage as Component } from '@/features/dataset-selector/dataset-selector-page.tsx';
