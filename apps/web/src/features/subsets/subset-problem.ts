import { chosenMetadata } from './filter-payload.ts';
import type { FilterConfig, FilterType, GeneFilterType, PercentileRange } from './filter-config.ts';
import { filterTypes, percentileLimits } from './filter-config.ts';

/** Names that stand for all cells. */
const reserved = new Set(['default', 'global']);
/** Most characters of a name that the server takes. */
export const longestSubsetName = 200;

/** The name, with a number behind it where another subset has it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const wanted = name.trim();
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = wanted.slice(0, longestSubsetName - suffix.length) + suffix;
    if (!taken.has(free)) return free;
  }
}

/** Why a subset cannot be saved yet; `undefined` where it can. `taken` are the names of the others of the dataset. */
export function subsetProblem(
  name: string,
  config: FilterConfig,
  taken: ReadonlySet<string>,
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
  if (taken.has(name.trim())) {
    return `Another subset of this dataset is named ${name.trim()}. Please choose another name.`;
  }
  return undefined;
}

/** What is missing in one filter of a form; `undefined` where it is filled in. */
export function partProblem(type: FilterType, config: FilterConfig): string | undefined {
  const { geneFilter, signatureFilter, cellTypeFilter, metadataFilter } = config;
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
