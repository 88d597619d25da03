import { notGiven } from './facets.ts';

/** How a value of a facet is shown. */
export const facetText = (value: string) => (value === notGiven ? 'Not given' : value);
