export { cellValues } from './cell-values.ts';
export { GeneMeans } from './gene-means.ts';
export { NamedScores, shownOf, unnamedScore, type NamedScore } from './named-scores.ts';
export { type ScoredGenes, SignatureScoring } from './signature-scores.ts';
