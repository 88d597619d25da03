export { DatasetSelectorPage as Component } from '@/features/catalogue/index.ts';
