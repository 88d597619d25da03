import { type ResultCaution as Caution, countText, minPValue } from '@cellfolio/model';
import { falseShare, pValuesAtBoundText } from './fields.ts';

/** P-values of fewer cells are not reliable. */
export const fewCells = 10;

interface Tests {
  tests: number;
  genes: number;
  groups: number;
  /** The genes that p-values are adjusted over, in words, such as `20,000 genes`. */
  over: string;
  /** Genes with a lower adjusted p count. */
  limit: number;
  significant: number;
}

export function multipleTesting({ tests, genes, groups, over, limit, significant }: Tests): Caution {
  const several = groups > 1;
  return {
    code: 'multiple-testing',
    message: `${countText(tests)} tests were made${several ? ` in ${countText(groups)} groups` : ''}; p-values are adjusted by Benjamini and Hochberg over the ${over}${several ? ' of each group, not over the groups' : ''}. ${falseShare('genes', limit)}`,
    numbers: { tests, genes, groups, passing: significant },
  };
}

/** `zeros` is the number of p-values that underflow to 0. */
export function pValuesAtBound(zeros: number): Caution[] {
  if (zeros === 0) return [];
  return [
    {
      code: 'p-values-at-bound',
      message: pValuesAtBoundText(zeros),
      numbers: { genes: zeros, bound: minPValue },
    },
  ];
}

export function zerosIn(pValues: Float64Array): number {
  return pValues.reduce((count, p) => (p === 0 ? count + 1 : count), 0);
}
