import type { DatasetMetadata } from '@cellfolio/contract';
import { catalogueFields } from '@cellfolio/contract';
import { useSearchParams } from 'react-router';
import type { CatalogueEntry } from './catalogue-entries.ts';
import { entriesOf, partOf } from './catalogue-entries.ts';

interface Facet {
  /** Its name in the address, behind `filter.`. */
  key: string;
  title: string;
  /** What a dataset is under this facet; nothing where it is not known. */
  valuesOf: (entry: CatalogueEntry) => readonly (string | undefined)[];
  /** In this order where it is not that of the alphabet. */
  order?: readonly string[];
}

/** Stands for datasets of which a facet is not known; no value of the catalogue is empty. */
export const notGiven = '';

const cellRanges: readonly (readonly [below: number, name: string])[] = [
  [1_000, 'Below 1,000'],
  [5_000, '1,000 to 4,999'],
  [20_000, '5,000 to 19,999'],
  [100_000, '20,000 to 99,999'],
  [500_000, '100,000 to 499,999'],
  [Infinity, '500,000 and more'],
];

/** What the catalogue knows of its datasets and can be chosen by. */
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

/** Values that were chosen, by the key of their facet; a dataset needs one of each facet that has any. */
export type ChosenFacets = ReadonlyMap<string, readonly string[]>;

interface FacetValue {
  value: string;
  /** Datasets that would be left with this value and what is chosen of the other facets. */
  count: number;
  chosen: boolean;
}

export interface CountedFacet {
  facet: Facet;
  values: readonly FacetValue[];
}

/** The datasets that have one of the chosen values of every facet. */
export function narrowCatalogue(catalogue: DatasetMetadata, chosen: ChosenFacets): DatasetMetadata {
  return chosen.size === 0 ? catalogue : partOf(catalogue, (entry) => fits(entry, chosen));
}

/**
 * The facets that tell datasets of the catalogue apart, or of which something is chosen, with how many of the found
 * datasets each value would leave. The values are in no order: see {@link inOrder}.
 * @param found The part of the catalogue that a search leaves, before any facet is looked at.
 */
export function countFacets(
  catalogue: DatasetMetadata,
  found: DatasetMetadata,
  chosen: ChosenFacets,
): CountedFacet[] {
  const all = entriesOf(catalogue);
  const left = entriesOf(found);
  return facets.flatMap((facet) => {
    const own = new Set(chosen.get(facet.key));
    const counts = new Map<string, number>([...own].map((value) => [value, 0]));
    for (const entry of all) for (const value of valuesOf(facet, entry)) counts.set(value, 0);
    if (counts.size < 2 && own.size === 0) return [];
    for (const entry of left) {
      if (!fits(entry, chosen, facet.key)) continue;
      for (const value of valuesOf(facet, entry)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = Array.from(counts, ([value, count]) => ({ value, count, chosen: own.has(value) }));
    return [{ facet, values }];
  });
}

function fits(entry: CatalogueEntry, chosen: ChosenFacets, except?: string): boolean {
  return facets.every((facet) => {
    const wanted = facet.key === except ? undefined : chosen.get(facet.key);
    return wanted === undefined || valuesOf(facet, entry).some((value) => wanted.includes(value));
  });
}

function valuesOf(facet: Facet, entry: CatalogueEntry): string[] {
  const known = facet.valuesOf(entry).filter((value) => value !== undefined && value.trim() !== '');
  return known.length === 0 ? [notGiven] : [...new Set(known as string[])];
}

/**
 * The values of a facet as they are listed. They are sorted where they are shown: on a phone the first comparison of
 * texts takes up to a tenth of a second.
 */
export function inOrder({ facet, values }: CountedFacet): FacetValue[] {
  return values.toSorted((a, b) => compare(facet, a, b));
}

/** What can be chosen comes first, so that a long list need not be searched for it. */
function compare({ order }: Facet, a: FacetValue, b: FacetValue): number {
  if (order !== undefined) return order.indexOf(a.value) - order.indexOf(b.value);
  const rank = ({ value, count, chosen }: FacetValue) =>
    (count > 0 || chosen ? 0 : 2) + (value === notGiven ? 1 : 0);
  return rank(a) - rank(b) || collator().compare(a.value, b.value);
}

/** Made for the first comparison: text compared with options takes a multiple. */
let byName: Intl.Collator | undefined;
const collator = () => (byName ??= new Intl.Collator('en', { numeric: true }));

/** Before the key of a facet in the address. */
export const facetPrefix = 'filter.';

/** More in an address nobody chose by hand; each costs a comparison with every dataset. */
const maxValues = 100;

/** The chosen facets. They are in the address alone, so that what is seen can be shared and found again. */
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
