export { boundedText, rankedEnrichmentView, rankedRows } from './view.tsx';
