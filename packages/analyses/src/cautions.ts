/** Cautions that tests of genes share, whether they are declared or below the analyses. */
export { type ComparedDepths, type CountsPerCell, depthCautions, thinningLine } from './depth-cautions.ts';
export { leadingCount, type LeadingGenes, leadingGeneCautions } from './leading-genes.ts';
export {
  fewCells,
  multipleTesting,
  pValuesAtBound,
  sparseGenes,
  unevenTTest,
  zerosIn,
} from './p-value-cautions.ts';
export { replicateTestWords, sampleNoun, samplesText } from './sample-words.ts';
