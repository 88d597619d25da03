import { type ResultCaution as Caution, countText, minPValue, plural } from '@cellfolio/model';
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

/** `sparse` of the `significant` genes, whose adjusted p is below the limit, would not pass with exact tests of sparse genes. */
export function sparseGenes(numbers: { sparse: number; significant: number; limit: number }): Caution[] {
  const { sparse, significant, limit } = numbers;
  if (sparse === 0) return [];
  return [
    {
      code: 'sparse-genes',
      message: `${countText(sparse)} of ${plural(significant, 'gene')} with an adjusted p below ${limit} would not pass with Fisher’s exact test: few cells express them and one side has few cells, where the approximation of the test is far too sure. Test without the defaults of scanpy.`,
      numbers: { sparse, significant, limit },
    },
  ];
}

export function zerosIn(pValues: Float64Array): number {
  return pValues.reduce((count, p) => (p === 0 ? count + 1 : count), 0);
}
