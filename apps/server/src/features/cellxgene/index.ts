export { checkDataset } from './check-dataset.ts';
export { type CuratedContent, curatedContent } from './curated-content.ts';
