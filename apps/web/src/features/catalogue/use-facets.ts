import { useSearchParams } from 'react-router';
import type { ChosenFacets } from './facets.ts';
import { facets } from './facets.ts';

/** Before the key of a facet in the address. */
export const facetPrefix = 'filter.';

/** More in an address nobody chose by hand; each costs a comparison with every dataset. */
const mostValues = 100;

/** The chosen facets. They are in the address alone, so that what is seen can be shared and found again. */
export function useFacets() {
  const [params, setParams] = useSearchParams();
  const chosen: ChosenFacets = new Map(
    facets.flatMap(({ key }) => {
      const values = [...new Set(params.getAll(facetPrefix + key))].slice(0, mostValues);
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
