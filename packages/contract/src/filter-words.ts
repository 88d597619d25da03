import { listedNames } from '@cellfolio/model';
import type { FilterRequest } from './subsets.ts';

/** A user's names of categories and selected cells; absent to use those of the dataset. */
interface FilterNames {
  cellType?: (name: string) => string;
  ofField?: (field: string, name: string) => string;
  cells?: string | undefined;
}

/** Describes a filter, as “Cell type is one of T cell, NK; CD3D above 0”; `all cells` if it has no part. */
export function filterWords(filter: FilterRequest, names: FilterNames = {}): string {
  const {
    cellType = (name) => name,
    ofField = (_, name) => name,
    cells = 'cells selected on the map',
  } = names;
  const { gene, signature } = filter;
  const parts = [
    filter.cell_type_filter ? isOneOf('Cell type', (filter.cell_type ?? []).map(cellType)) : '',
    ...(filter.patient_metadata_filter
      ? Object.entries(filter.patient_metadata ?? {}).map(([field, values]) =>
          isOneOf(
            field,
            values.map((name) => ofField(field, name)),
          ),
        )
      : []),
    filter.gene_filter && gene ? geneWords(gene) : '',
    filter.signature_filter && signature
      ? `score of ${signature.score_name === '' ? 'the signature' : signature.score_name} ${rangeWords(signature)}`
      : '',
    filter.cells_filter ? cells : '',
  ];
  return parts.filter((part) => part !== '').join('; ') || 'all cells';
}

function isOneOf(field: string, values: readonly string[]): string {
  if (values.length === 0) return '';
  return `${field} is ${values.length === 1 ? values[0]! : `one of ${listedNames(values, 4)}`}`;
}

function geneWords(gene: NonNullable<FilterRequest['gene']>): string {
  const name = (Array.isArray(gene.name) ? gene.name[0] : gene.name) ?? '';
  const { presence } = gene;
  if (presence === 'positive' || presence === 'true' || presence === true) return `${name} above 0`;
  if (presence === 'negative') return `${name} is 0`;
  return `${name} ${rangeWords(gene)}${gene.among === 'expressing' ? ' of the expressing cells' : ''}`;
}

type Percentiles = Pick<NonNullable<FilterRequest['signature']>, 'min_percentile' | 'max_percentile'>;

function rangeWords({ min_percentile: min, max_percentile: max }: Percentiles): string {
  return `between percentiles ${min} and ${max}`;
}
