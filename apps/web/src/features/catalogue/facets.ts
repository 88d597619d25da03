import type { DatasetMetadata } from '@cellfolio/contract';
import { catalogueFields } from '@cellfolio/contract';
import { useSearchParams } from 'react-router';
import type { CatalogueEntry } from './catalogue-entries.ts';
import { entriesOf, partOf } from './catalogue-entries.ts';

interface Facet {
  /** Name in the URL, after `filter.`. */
  key: string;
  title: string;
  /** Values of a dataset for this facet; undefined when unknown. */
  valuesOf: (entry: CatalogueEntry) => readonly (string | undefined)[];
  /** Order of the values; default: alphabetical. */
  order?: readonly string[];
}

/** Represents datasets without a value for a facet; no catalogue value is empty. */
export const missingFacet = '';

const cellRanges: readonly (readonly [below: number, name: string])[] = [
  [1_000, 'Below 1,000'],
  [5_000, '1,000 to 4,999'],
  [20_000, '5,000 to 19,999'],
  [100_000, '20,000 to 99,999'],
  [500_000, '100,000 to 499,999'],
  [Infinity, '500,000 and more'],
];

export const facets: readonly Facet[] = [
  { key: 'disease', title: 'Disease', valuesOf: ({ disease }) => [disease] },
  { key: 'subdisease', title: 'Sub-disease', valuesOf: ({ subDisease }) => [subDisease] },
  { key: 'cell-type', title: 'Cell type', valuesOf: ({ dataset }) => dataset.cell_types ?? [] },
  ...catalogueFields.flatMap((field) =>
    'facet' in field
      ? [{ ...field.facet, valuesOf: ({ dataset }: CatalogueEntry) => [dataset[field.name]] }]
      : [],
  ),
  {
    key: 'cells',
    title: 'Cells',
    valuesOf: ({ dataset }) => [cellRanges.find(([below]) => dataset.cell_count < below)?.[1]],
    order: cellRanges.map(([, name]) => name),
  },
  {
    key: 'data',
    title: 'Data',
    valuesOf: ({ dataset }) => [dataset.simulated ? 'Simulated' : 'Measured'],
    order: ['Measured', 'Simulated'],
  },
];

/** Chosen values by facet key; a dataset must match one value of each facet that has any. */
export type ChosenFacets = ReadonlyMap<string, readonly string[]>;

interface FacetValue {
  value: string;
  /** Number of datasets with this value that match the other facets' choices. */
  count: number;
  chosen: boolean;
}

export interface CountedFacet {
  facet: Facet;
  values: readonly FacetValue[];
}

export function narrowCatalogue(catalogue: DatasetMetadata, chosen: ChosenFacets): DatasetMetadata {
  return chosen.size === 0 ? catalogue : partOf(catalogue, (entry) => fits(entry, chosen));
}

/**
 * The facets that distinguish datasets of the catalogue, or that have chosen values, with the number of matching
 * datasets per value. The values are unordered: see {@link inOrder}. `searchMatches` is the part of the catalogue that
 * matches the search, before facets apply.
 */
export function countFacets(
  catalogue: DatasetMetadata,
  searchMatches: DatasetMetadata,
  chosen: ChosenFacets,
): CountedFacet[] {
  const all = entriesOf(catalogue);
  const left = entriesOf(searchMatches);
  return facets.flatMap((facet) => {
    const own = new Set(chosen.get(facet.key));
    const datasets = new Map<string, Set<string>>([...own].map((value) => [value, new Set()]));
    for (const entry of all) for (const value of valuesOf(facet, entry)) datasets.set(value, new Set());
    if (datasets.size < 2 && own.size === 0) return [];
    for (const entry of left) {
      if (!fits(entry, chosen, facet.key)) continue;
      // A dataset of several diseases is listed under each.
      for (const value of valuesOf(facet, entry)) datasets.get(value)?.add(entry.dataset.dataset_filename);
    }
    const values = Array.from(datasets, ([value, { size }]) => ({
      value,
      count: size,
      chosen: own.has(value),
    }));
    return [{ facet, values }];
  });
}

function fits(entry: CatalogueEntry, chosen: ChosenFacets, except?: string): boolean {
  return facets.every((facet) => {
    const chosenValues = facet.key === except ? undefined : chosen.get(facet.key);
    return chosenValues === undefined || valuesOf(facet, entry).some((value) => chosenValues.includes(value));
  });
}

function valuesOf(facet: Facet, entry: CatalogueEntry): string[] {
  const nonEmpty = facet.valuesOf(entry).filter((value) => value !== undefined && value.trim() !== '');
  return nonEmpty.length === 0 ? [missingFacet] : [...new Set(nonEmpty as string[])];
}

/**
 * The values of a facet in display order. They are sorted only where shown: on a phone the first text comparison takes
 * up to a tenth of a second.
 */
export function inOrder({ facet, values }: CountedFacet): FacetValue[] {
  return values.toSorted((a, b) => compare(facet, a, b));
}

/** Selectable values come first, so that a long list need not be searched for them. */
function compare({ order }: Facet, a: FacetValue, b: FacetValue): number {
  if (order !== undefined) return order.indexOf(a.value) - order.indexOf(b.value);
  const rank = ({ value, count, chosen }: FacetValue) =>
    (count > 0 || chosen ? 0 : 2) + (value === missingFacet ? 1 : 0);
  return rank(a) - rank(b) || collator().compare(a.value, b.value);
}

/** Created for the first comparison: comparing text with options each time is several times slower. */
let byName: Intl.Collator | undefined;
const collator = () => (byName ??= new Intl.Collator('en', { numeric: true }));

export const facetPrefix = 'filter.';

/** More values in a URL are not chosen by hand; each costs a comparison with every dataset. */
const maxValues = 100;

/** The chosen facets. They are stored only in the URL, so that the view can be shared and restored. */
export function useFacets() {
  const [params, setParams] = useSearchParams();
  const chosen: ChosenFacets = new Map(
    facets.flatMap(({ key }) => {
      const values = [...new Set(params.getAll(facetPrefix + key))].slice(0, maxValues);
      return values.length === 0 ? [] : [[key, values] as const];
    }),
  );
  const change = (edit: (next: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  return {
    chosen,
    setFacet: (key: string, values: readonly string[]) =>
      change((next) => {
        next.delete(facetPrefix + key);
        for (const value of values) next.append(facetPrefix + key, value);
      }),
    clearFacets: () =>
      change((next) => {
        for (const { key } of facets) next.delete(facetPrefix + key);
      }),
  };
}
