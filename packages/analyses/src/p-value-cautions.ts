import { type ResultCaution as Caution, countText, listedNames, minPValue, plural } from '@cellfolio/model';
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

const maxNamesListed = 5;
/** Most cells of the smaller side, and least ratio of the sides, at which Welch's test lets too much pass. */
const unevenSides = { cells: 300, ratio: 5 };

interface TestedSides {
  readonly name: string;
  readonly cells: number;
  readonly others: number;
}

/** The figures are those of the page on false discoveries, for sides of 60 to 300 cells. */
export function unevenTTest(method: string, tested: readonly TestedSides[]): Caution[] {
  if (method !== 't-test') return [];
  const uneven = tested.filter(({ cells, others }) => {
    const few = Math.min(cells, others);
    return few <= unevenSides.cells && Math.max(cells, others) >= unevenSides.ratio * few;
  });
  if (uneven.length === 0) return [];
  const words = uneven.map(
    ({ name, cells, others }) =>
      `${name === '' ? '' : `${name}: `}${countText(cells)} against ${countText(others)}`,
  );
  const listed = uneven.slice(0, maxNamesListed);
  return [
    {
      code: 'uneven-t-test',
      message: `Welch’s t-test of few cells against many (${listedNames(words, maxNamesListed)}) is too sure: in simulations up to 30 % of the genes that pass were false, not 5 %. Use Wilcoxon.`,
      numbers: {
        groups: listed.map(({ name }) => name),
        cells: listed.map(({ cells }) => cells),
        others: listed.map(({ others }) => others),
        groupCount: uneven.length,
      },
    },
  ];
}

export function zerosIn(pValues: Float64Array): number {
  return pValues.reduce((count, p) => (p === 0 ? count + 1 : count), 0);
}
