/**
 * Defaults for processing raw counts: scanpy's tutorial values, with a filter that removes only extreme outliers (5
 * deviations, as https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html advises). The other
 * thresholds of cells are derived from the data.
 */
export const processingDefaults = {
  deviations: 5,
  variableGenes: 2000,
  components: 50,
  neighbours: 15,
  resolution: 1,
  // Keeps a fifth more of the nearest 15 cells of mouse brain together than 0.5, and leaves groups as legible.
  minimumDistance: 0.3,
} as const;

/** The defaults of DropletUtils::emptyDrops, and the rate of https://bioconductor.org/books/release/OSCA.advanced/droplet-processing.html. */
export const dropletDefaults = { emptyUpTo: 100, falseDiscoveryRate: 0.001, iterations: 10_000 } as const;

/** Default steps for the samples of a combined file. */
export const samplesDefaults = {
  doublets: 'remove',
  integrate: 'harmony',
  batchColumn: 'sample',
  // Coarser and finer by half than the first.
  resolutions: [0.5, 2],
} as const;

/**
 * Default steps for the samples within one file. Doublets are marked, within each sample if there are samples, but not
 * removed: its cells may already have been filtered.
 */
export const fileSamplesDefaults = {
  doublets: 'mark',
  integrate: 'none',
  resolutions: [] as number[],
} as const;
