import type { FigureSource, FilterRequest } from '@cellfolio/contract';
import { freeName as freeNameOf } from '@/lib/free-name.ts';
import type { FilterConfig, FilterType, GeneFilterType, PercentileRange } from './filter-config.ts';
import { filterTypes, percentileLimits } from './filter-config.ts';

export const unnamedSignature = 'Unnamed Signature';

export function filterPayload(name: string, config: FilterConfig): FilterRequest {
  const { geneFilter, signatureFilter, cellTypeFilter, metadataFilter, cellsFilter } = config;
  const on = new Set(config.activeFilterTypes);
  return {
    subset_group_name: name.trim(),
    gene_filter: on.has('gene'),
    signature_filter: on.has('signature'),
    cell_type_filter: on.has('celltype'),
    patient_metadata_filter: on.has('metadata'),
    cells_filter: on.has('cells'),
    ...(on.has('gene') && {
      gene: {
        name: geneFilter.genes[0] ?? '',
        presence: geneFilter.filterType,
        min_percentile: geneFilter.minPercentile,
        max_percentile: geneFilter.maxPercentile,
        // `all` is left out: a filter from before the choice is the same filter.
        ...(geneFilter.among === 'expressing' && { among: geneFilter.among }),
      },
    }),
    ...(on.has('signature') && {
      signature: {
        genes: signatureFilter.genes,
        score_name: signatureFilter.signatureName.trim() || unnamedSignature,
        min_percentile: signatureFilter.minPercentile,
        max_percentile: signatureFilter.maxPercentile,
      },
    }),
    ...(on.has('celltype') && { cell_type: cellTypeFilter.cellTypes }),
    ...(on.has('metadata') && { patient_metadata: chosenMetadata(metadataFilter) }),
    ...(on.has('cells') && { cells: { version: cellsFilter.version, places: cellsFilter.places } }),
    ...(config.kept && { kept: config.kept }),
  };
}

function chosenMetadata({
  selectedFields,
  patientMetadata,
}: FilterConfig['metadataFilter']): Record<string, string[]> {
  const valuesByField = new Map(Object.entries(patientMetadata));
  return Object.fromEntries(
    selectedFields.flatMap((field) => {
      const values = valuesByField.get(field) ?? [];
      return values.length > 0 ? [[field, values]] : [];
    }),
  );
}

/**
 * Normalises a filter as the server does in a figure's source: without parts that have no effect, lists sorted. Equal
 * results draw the same figures.
 */
export function normalFilter(filter: FilterRequest): NonNullable<FigureSource['subset']> {
  const { gene, signature, cell_type: cellTypes, patient_metadata: metadata, cells } = filter;
  return {
    subset_group_name: filter.subset_group_name,
    gene_filter: filter.gene_filter ?? false,
    signature_filter: filter.signature_filter ?? false,
    cell_type_filter: filter.cell_type_filter ?? false,
    patient_metadata_filter: filter.patient_metadata_filter ?? false,
    cells_filter: filter.cells_filter ?? false,
    ...(filter.gene_filter && gene && { gene: normalGene(gene) }),
    ...(filter.signature_filter &&
      signature && {
        signature: {
          genes: signature.genes,
          score_name: signature.score_name ?? '',
          min_percentile: signature.min_percentile,
          max_percentile: signature.max_percentile,
        },
      }),
    ...(filter.cell_type_filter && cellTypes && { cell_type: inOrder(cellTypes) }),
    ...(filter.patient_metadata_filter &&
      metadata && {
        patient_metadata: Object.fromEntries(
          Object.entries(metadata)
            .filter(([, values]) => values.length > 0)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([field, values]) => [field, inOrder(values)]),
        ),
      }),
    ...(filter.cells_filter && cells && { cells }),
  };
}

/** Whether two filters keep the same cells, regardless of names; `undefined` keeps all cells. */
export function sameCells(a: FilterRequest | undefined, b: FilterRequest | undefined): boolean {
  return cellsKey(a) === cellsKey(b);
}

function cellsKey(filter: FilterRequest | undefined): string {
  if (filter === undefined) return cellsKey({ subset_group_name: '' });
  const { gene, signature, cell_type: cellTypes, patient_metadata: metadata, cells } = normalFilter(filter);
  return JSON.stringify([gene, signature && { ...signature, score_name: '' }, cellTypes, metadata, cells]);
}

function normalGene(gene: NonNullable<FilterRequest['gene']>): NonNullable<FilterRequest['gene']> {
  const name = (Array.isArray(gene.name) ? gene.name[0] : gene.name) ?? '';
  if (gene.presence === true || gene.presence === 'true' || gene.presence === 'positive') {
    return { name, presence: 'positive' };
  }
  if (gene.presence === 'negative') return { name, presence: 'negative' };
  return {
    name,
    presence: 'percentile',
    min_percentile: gene.min_percentile,
    max_percentile: gene.max_percentile,
    ...(gene.among === 'expressing' && { among: gene.among }),
  };
}

function inOrder(names: readonly string[]): string[] {
  // By code units, as the server orders them.
  return Array.from(new Set(names)).toSorted();
}

const reserved = new Set(['default', 'global']);
export const maxSubsetNameLength = 200;

export function freeName(name: string, usedNames: ReadonlySet<string>): string {
  return freeNameOf(name, usedNames, maxSubsetNameLength);
}

/** Reason why a subset cannot be saved yet; `undefined` if it can. `usedNames`: names of the dataset's other subsets. */
export function subsetProblem(
  name: string,
  config: FilterConfig,
  usedNames: ReadonlySet<string>,
): string | undefined {
  const { activeFilterTypes } = config;
  if (activeFilterTypes.length === 0) return 'Please select at least one filter type.';
  for (const type of filterTypes) {
    const problem = activeFilterTypes.includes(type) ? partProblem(type, config) : undefined;
    if (problem !== undefined) return problem;
  }
  if (name.trim() === '') return 'Please provide a subset name.';
  if (reserved.has(name.trim().toLowerCase())) {
    return `The name ${name.trim()} stands for all cells. Please choose another.`;
  }
  if (usedNames.has(name.trim())) {
    return `Another subset of this dataset is named ${name.trim()}. Please choose another name.`;
  }
  return undefined;
}

export function partProblem(type: FilterType, config: FilterConfig): string | undefined {
  const { geneFilter, signatureFilter, cellTypeFilter, metadataFilter, cellsFilter } = config;
  switch (type) {
    case 'gene':
      if (geneFilter.genes.length === 0) return 'Please select at least one gene for gene filter.';
      return isByPercentile(geneFilter.filterType) ? rangeProblem('gene', geneFilter) : undefined;
    case 'signature':
      if (signatureFilter.genes.length === 0) return 'Please select genes for the signature.';
      return rangeProblem('signature', signatureFilter);
    case 'celltype':
      return cellTypeFilter.cellTypes.length === 0 ? 'Please select at least one cell type.' : undefined;
    case 'metadata':
      return Object.keys(chosenMetadata(metadataFilter)).length === 0
        ? 'Please select at least one metadata field.'
        : undefined;
    case 'cells':
      return cellsFilter.places === '' ? 'Please select cells on the map.' : undefined;
  }
}

function isByPercentile(filterType: GeneFilterType): boolean {
  return filterType === 'percentile' || filterType === '';
}

function rangeProblem(what: string, { minPercentile, maxPercentile }: PercentileRange): string | undefined {
  const { min, max } = percentileLimits;
  if (!(minPercentile >= min[0] && minPercentile <= min[1])) {
    return `The minimum ${what} percentile must be within ${min[0]} to ${min[1]}.`;
  }
  if (!(maxPercentile >= max[0] && maxPercentile <= max[1])) {
    return `The maximum ${what} percentile must be within ${max[0]} to ${max[1]}.`;
  }
  return undefined;
}
