export { GeneMeans } from './gene-means.ts';
export { NamedScores, shownOf, unnamedScore, type NamedScore } from './named-scores.ts';
export { scoredGenes, type ScoredGenes } from './scored-genes.ts';
export { SignatureScoring } from './signature-scores.ts';
