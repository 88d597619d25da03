import { mapDefaults, qualityNumbers } from '@cellfolio/model';

/** Defaults for processing raw counts; the other thresholds of cells are derived from the data. */
export const processingDefaults = { deviations: qualityNumbers.deviations.default, ...mapDefaults };

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
