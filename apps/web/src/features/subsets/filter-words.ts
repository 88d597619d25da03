import { type CategoryNames, datasetNames } from '@/features/category-displays/index.ts';
import { nameList } from '@/lib/format.ts';
import type { FilterConfig, PercentileRange } from './filter-config.ts';
import { unnamedSignature } from './filter-payload.ts';
import { selectionText } from './saved-subsets.ts';

/**
 * Which cells a filter keeps, in words, as “Cell type is T cell or NK; CD3D above 0”.
 * @param names what the user calls categories; those of the dataset if absent
 * @param version of the dataset that is open, where that is to be told from the one of selected cells
 */
export function filterWords(
  config: FilterConfig,
  names: CategoryNames = datasetNames,
  version?: string,
): string {
  const { geneFilter, signatureFilter, cellTypeFilter, metadataFilter } = config;
  const on = new Set(config.activeFilterTypes);
  const values = new Map(Object.entries(metadataFilter.patientMetadata));
  const parts = [
    ...(on.has('celltype') ? [isOneOf('Cell type', cellTypeFilter.cellTypes.map(names.cellType))] : []),
    ...(on.has('metadata')
      ? metadataFilter.selectedFields.map((field) =>
          isOneOf(
            field,
            (values.get(field) ?? []).map((name) => names.ofField(field, name)),
          ),
        )
      : []),
    ...(on.has('gene') ? [geneWords(geneFilter)] : []),
    ...(on.has('signature')
      ? [`score of ${signatureFilter.signatureName || unnamedSignature} ${rangeWords(signatureFilter)}`]
      : []),
    selectionText(config, version) ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ') || 'all cells';
}

function isOneOf(field: string, values: readonly string[]): string {
  if (values.length === 0) return '';
  return `${field} is ${values.length === 1 ? values[0]! : `one of ${nameList(values, 4)}`}`;
}

function geneWords({ genes, filterType, among, ...range }: FilterConfig['geneFilter']): string {
  const gene = genes[0] ?? '';
  if (filterType === 'positive') return `${gene} above 0`;
  if (filterType === 'negative') return `${gene} is 0`;
  return `${gene} ${rangeWords(range)}${among === 'expressing' ? ' of the expressing cells' : ''}`;
}

function rangeWords({ minPercentile, maxPercentile }: PercentileRange): string {
  return `between percentiles ${minPercentile} and ${maxPercentile}`;
}
