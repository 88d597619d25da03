/** The figure of each listed article that stands beside it in the list, 600 by 500 CSS pixels. */
export const covers: ReadonlyMap<string, string> = new Map([
  ['gene-signatures-context-specificity-challenges', 'signatures-exhaustion-umap'],
  ['detect-rare-cell-populations-without-overfitting', 'rare-mast-breast'],
  ['batch-correction-scrna-seq-methods-comparison', 'batch-patients-after'],
  ['single-cell-differential-expression-statistical-assumptions', 'de-one-gene-by-patient'],
  ['umap-visualization-cell-state-manifold-geometry', 'umap-min-dist-large'],
]);
