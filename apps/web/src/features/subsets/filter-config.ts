import type { FilterRequest } from '@cellfolio/contract';

export const filterTypes = ['gene', 'signature', 'celltype', 'metadata'] as const;
export type FilterType = (typeof filterTypes)[number];

/** Empty means by percentiles, as 'percentile' does. */
export type GeneFilterType = 'positive' | 'negative' | 'percentile' | '';

/** Whose values the percentiles of a gene are of: every cell's with its zeros, or those above zero. */
export type PercentilesAmong = 'all' | 'expressing';

export interface PercentileRange {
  minPercentile: number;
  maxPercentile: number;
}

/** What a subset keeps, as the column `filter_config` of `subset_metadata` holds it. */
export interface FilterConfig {
  activeFilterTypes: FilterType[];
  /** Of the genes only the first counts. */
  geneFilter: { genes: string[]; filterType: GeneFilterType; among: PercentilesAmong } & PercentileRange;
  signatureFilter: { genes: string[]; signatureName: string } & PercentileRange;
  cellTypeFilter: { cellTypes: string[] };
  metadataFilter: { selectedFields: string[]; patientMetadata: Record<string, string[]> };
  /** Kept for other clients of the table; nothing here sets it. */
  cellStateFilter: { field: string; value: string; threshold: number };
  /** The filter as it is sent to the server. */
  api_payload?: FilterRequest;
}

/** What the form is about: the filters, and the name of the group of cells. */
export interface SubsetDraft {
  name: string;
  config: FilterConfig;
  /** The single percentile of older subsets. */
  percentile: number;
}

export const defaultRange: PercentileRange = { minPercentile: 1, maxPercentile: 50 };
export const defaultPercentile = 10;
/** What a range takes: each end on its own side of the middle. */
export const percentileLimits = { min: [1, 50], max: [50, 99], step: 0.1 } as const;

/** A form with nothing in it. */
export function emptyDraft(): SubsetDraft {
  return { name: '', config: emptyConfig(), percentile: defaultPercentile };
}

export function emptyConfig(): FilterConfig {
  return {
    activeFilterTypes: [],
    // Percentiles of a gene that most cells do not express are percentiles of zeros.
    geneFilter: { genes: [], filterType: 'positive', among: 'all', ...defaultRange },
    signatureFilter: { genes: [], signatureName: '', ...defaultRange },
    cellTypeFilter: { cellTypes: [] },
    metadataFilter: { selectedFields: [], patientMetadata: {} },
    cellStateFilter: { field: '', value: '', threshold: 0 },
  };
}
