import { deviationScale } from './deviation-scale.ts';

/**
 * Numbers that a user may choose for processing, each declared here alone: fields of requests, forms, records and
 * definitions, options of the command line and defaults follow. Plain data, since the process of a job loads no schema.
 */
export interface ProcessingNumber {
  readonly title: string;
  /** Shown in forms, by the command line and in the description of the API. */
  readonly hint: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly isWhole?: true;
  /** A share from 0 to 1, typed in percent in forms. */
  readonly isShare?: true;
  /** Absent: derived from the data. */
  readonly default?: number;
  readonly parts: readonly ('qualityControl' | 'clusters' | 'embedding')[];
}

const quality = { parts: ['qualityControl'] } as const;
const graph = { isWhole: true, parts: ['clusters', 'embedding'] } as const;

export const qualityNumbers = {
  deviations: {
    ...quality,
    title: 'Outlier limit',
    hint: `Cells this many median absolute deviations (×\u00a0${deviationScale}) from the median are removed.`,
    minimum: 1,
    maximum: 100,
    // Only extreme outliers, as https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html advises.
    default: 5,
  },
  minimumCounts: {
    ...quality,
    title: 'Minimum counts per cell',
    hint: 'Replaces the outlier limit.',
    minimum: 0,
    maximum: 1e9,
    isWhole: true,
  },
  minimumGenes: {
    ...quality,
    title: 'Minimum genes per cell',
    hint: 'Detected genes; replaces the outlier limit.',
    minimum: 0,
    maximum: 1e6,
    isWhole: true,
  },
  maximumMitochondrial: {
    ...quality,
    title: 'Maximum % mitochondrial',
    hint: 'Of all counts of a cell; replaces the outlier limit.',
    minimum: 0,
    maximum: 1,
    isShare: true,
  },
} as const satisfies Readonly<Record<string, ProcessingNumber>>;

/** Numbers of components, clusters and map; the defaults are scanpy's tutorial values. */
export const mapNumbers = {
  variableGenes: {
    ...graph,
    title: 'Variable genes',
    hint: 'Maximum number; the components are computed from them. 2,000 as in the tutorials of scanpy and Seurat.',
    minimum: 50,
    maximum: 20_000,
    default: 2000,
  },
  components: {
    ...graph,
    title: 'Principal components',
    hint: 'Fewer if there are fewer genes or cells. 50 separate small groups; 20 are often enough for few cells.',
    minimum: 2,
    maximum: 100,
    default: 50,
  },
  neighbours: {
    ...graph,
    title: 'Neighbors',
    hint: 'Per cell, for clusters and UMAP. 15 shows small groups; more smooth them.',
    minimum: 2,
    maximum: 200,
    default: 15,
  },
  resolution: {
    title: 'Resolution',
    hint: 'Of the Leiden clustering: higher gives more clusters.',
    minimum: 0.01,
    maximum: 20,
    default: 1,
    parts: ['clusters'],
  },
  minimumDistance: {
    title: 'Minimum distance',
    hint: 'How close points may be on the UMAP. 0.3 keeps groups legible.',
    minimum: 0,
    maximum: 3,
    // Keeps a fifth more of the nearest 15 cells of mouse brain together than 0.5, and leaves groups as legible.
    default: 0.3,
    parts: ['embedding'],
  },
} as const satisfies Readonly<Record<string, ProcessingNumber>>;

export const processingNumbers = { ...qualityNumbers, ...mapNumbers };
export type ProcessingNumberName = keyof typeof processingNumbers;
export type MapNumber = keyof typeof mapNumbers;

export const mapDefaults = Object.fromEntries(
  Object.entries(mapNumbers).map(([name, { default: value }]) => [name, value]),
) as Readonly<Record<MapNumber, number>>;

/** The numbers of the map among others, as far as they are set. */
export function mapNumbersOf<T extends { readonly [K in MapNumber]?: number | undefined }>(
  values: T,
): Pick<T, MapNumber> {
  const entries = Object.keys(mapNumbers).map((name) => [name, values[name as MapNumber]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, MapNumber>;
}
