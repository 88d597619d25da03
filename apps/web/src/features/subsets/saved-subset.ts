import type { FilterRequest } from '@cellfolio/contract';
import type { SubsetDraft } from './filter-config.ts';
import { defaultPercentile, emptyConfig } from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';
import { legacyConfig, readFilterConfig } from './read-filter-config.ts';

/** A subset of the user, as the page works with it. */
export interface SavedSubset {
  id: string;
  name: string;
  draft: SubsetDraft;
  /** What choosing it sends. */
  filter: FilterRequest;
}

/** The columns of `subset_metadata` that are written. */
export interface SubsetColumns {
  subset_name: string;
  subset_type: 'gene';
  gene_symbol: string;
  percentile: number;
  selected_cell_types: string[];
  filter_config: unknown;
}

/** Reads a row; an older one without a configuration is mapped. `undefined` for what is no subset at all. */
export function readSubset(row: unknown): SavedSubset | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  const { id, subset_name: name, filter_config: stored, ...columns } = row as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const config = readFilterConfig(stored);
  const legacy = legacyConfig({
    gene_symbol: columns['gene_symbol'],
    percentile: columns['percentile'],
    selected_cell_types: columns['selected_cell_types'],
  });
  const draft: SubsetDraft =
    config === undefined
      ? { name, ...legacy }
      : { name, config, percentile: legacy.percentile ?? defaultPercentile };
  return { id, name, draft, filter: filterPayload(name, draft.config) };
}

/** The columns of a subset, for writing. */
export function subsetColumns({ name, config, percentile }: SubsetDraft): SubsetColumns {
  const on = new Set(config.activeFilterTypes);
  return {
    subset_name: name.trim(),
    subset_type: 'gene',
    gene_symbol: on.has('gene') ? config.geneFilter.genes.join(',') : '',
    percentile,
    selected_cell_types: on.has('celltype') ? config.cellTypeFilter.cellTypes : [],
    filter_config: { ...config, api_payload: filterPayload(name, config) },
  };
}

/** The form that a filter stands for, as of a subset that came with an address. */
export function draftOfFilter(filter: FilterRequest): SubsetDraft {
  const { gene, signature, cell_type: cellTypes, patient_metadata: metadata } = filter;
  const range = (part: typeof gene | typeof signature) => ({
    minPercentile: part?.min_percentile,
    maxPercentile: part?.max_percentile,
  });
  const config = readFilterConfig({
    activeFilterTypes: [
      ...(filter.gene_filter ? ['gene'] : []),
      ...(filter.signature_filter ? ['signature'] : []),
      ...(filter.cell_type_filter ? ['celltype'] : []),
      ...(filter.patient_metadata_filter ? ['metadata'] : []),
    ],
    geneFilter: {
      genes: gene ? [gene.name].flat() : [],
      filterType: gene?.presence,
      among: gene?.among,
      ...range(gene),
    },
    signatureFilter: {
      genes: signature?.genes,
      signatureName: signature?.score_name,
      ...range(signature),
    },
    cellTypeFilter: { cellTypes },
    metadataFilter: { selectedFields: Object.keys(metadata ?? {}), patientMetadata: metadata },
  });
  return {
    name: filter.subset_group_name,
    config: config ?? emptyConfig(),
    percentile: defaultPercentile,
  };
}
