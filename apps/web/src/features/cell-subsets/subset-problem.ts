import { chosenMetadata } from './filter-payload.ts';
import type { FilterConfig, PercentileRange } from './filter-config.ts';
import { percentileLimits } from './filter-config.ts';

/** Names that stand for all cells. */
const reserved = new Set(['default', 'global']);
/** Most characters of a name that the server takes. */
export const longestSubsetName = 200;

/** Why a subset cannot be saved yet; `undefined` where it can. */
export function subsetProblem(name: string, config: FilterConfig): string | undefined {
  const { activeFilterTypes, geneFilter, signatureFilter, cellTypeFilter } = config;
  const on = new Set(activeFilterTypes);
  if (on.size === 0) return 'Please select at least one filter type.';
  if (on.has('gene')) {
    if (geneFilter.genes.length === 0) return 'Please select at least one gene for gene filter.';
    const byPercentile = geneFilter.filterType === 'percentile' || geneFilter.filterType === '';
    const problem = byPercentile ? rangeProblem('gene', geneFilter) : undefined;
    if (problem !== undefined) return problem;
  }
  if (on.has('signature')) {
    if (signatureFilter.genes.length === 0) return 'Please select genes for the signature.';
    const problem = rangeProblem('signature', signatureFilter);
    if (problem !== undefined) return problem;
  }
  if (on.has('celltype') && cellTypeFilter.cellTypes.length === 0) {
    return 'Please select at least one cell type.';
  }
  if (on.has('metadata') && Object.keys(chosenMetadata(config.metadataFilter)).length === 0) {
    return 'Please select at least one metadata field.';
  }
  if (name.trim() === '') return 'Please provide a subset name.';
  if (reserved.has(name.trim().toLowerCase())) {
    return `The name ${name.trim()} stands for all cells. Please choose another.`;
  }
  return undefined;
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
