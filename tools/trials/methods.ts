import {
  blockStatistics,
  cellGroups,
  designOf,
  levelContrast,
  type MarkerMethod,
  negativeBinomialTest,
  pseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  quasiLikelihoodTest,
  rankGenes,
} from '@cellfolio/analysis';
import type { CategoricalColumn, GeneBlock } from '@cellfolio/model';
import { throwIfRefused } from '../../bench/src/cases/sums.ts';
import { categorical } from '../../bench/src/data/generated-file.ts';
import { geneCount, type SimulatedDonors } from './simulated-donors.ts';

export interface Tested {
  pValues: Float64Array;
  /** By Benjamini and Hochberg. */
  adjusted: Float64Array;
}

/** Places of what is called at an FDR of 5 %. */
export function calledIn({ adjusted }: Pick<Tested, 'adjusted'>): number[] {
  return Array.from(adjusted.keys()).filter((place) => adjusted[place]! < 0.05);
}

/** Share of the tested with a p-value below 5 %. */
export function shareBelow({ pValues }: Pick<Tested, 'pValues'>): number {
  const tested = pValues.filter((p) => !Number.isNaN(p));
  return tested.filter((p) => p < 0.05).length / tested.length;
}

export interface Method {
  name: string;
  ofCells: boolean;
  /**
   * Whether the method promises at most 5 % false discoveries: the negative binomial test, ours like PyDESeq2's,
   * exceeds it.
   */
  isPromised: boolean;
  test: (data: SimulatedDonors) => Tested;
}

export const methods: readonly Method[] = [
  { name: 'Cells, Wilcoxon', ofCells: true, isPromised: false, test: (data) => cellTest(data, 'wilcoxon') },
  { name: 'Cells, t-test', ofCells: true, isPromised: false, test: (data) => cellTest(data, 't-test') },
  { name: 'Sums, voom', ofCells: false, isPromised: true, test: (data) => voomTest(data, false) },
  { name: 'Sums, voom, robust', ofCells: false, isPromised: true, test: (data) => voomTest(data, true) },
  { name: 'Sums, negative binomial', ofCells: false, isPromised: false, test: sumTest },
  { name: 'Sums, quasi-likelihood', ofCells: false, isPromised: true, test: quasiTest },
];

const categories = ['control', 'treated'];

function cellTest({ values, donors, perSide }: SimulatedDonors, method: MarkerMethod): Tested {
  const codes = donors.map((donor) => Number(donor >= perSide));
  const groups = cellGroups(categorical(codes, categories));
  const ranking = rankGenes([blockStatistics(values, groups, method)], groups, {
    method,
    tieCorrect: true,
    pseudocount: 1,
  });
  const { pvals, pvals_adj: adjusted } = ranking.rank(
    ranking.groups.findIndex(({ name }) => name === 'treated'),
  );
  return { pValues: pvals, adjusted };
}

function sumsOf({ counts, donors, perSide, isPaired }: SimulatedDonors) {
  const labels = { codes: donors, categories: numbered(2 * perSide) };
  return conditionSums(counts, labels, {
    isTreated: (sample) => sample >= perSide,
    ...(isPaired && { pairs: { count: perSide, of: (sample) => sample % perSide } }),
  });
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

interface SampleConditions {
  isTreated: (sample: number) => boolean;
  pairs?: { count: number; of: (sample: number) => number };
}

export function conditionSums(
  counts: GeneBlock,
  labels: Pick<CategoricalColumn, 'codes' | 'categories'>,
  { isTreated, pairs }: SampleConditions,
) {
  const samples = pseudobulkSamples(
    labels,
    { codes: new Int8Array(labels.codes.length), categories: ['all'] },
    { minCells: 10 },
  );
  const codes = samples.sums.map(({ sample }) => Number(isTreated(sample)));
  const tested = { kind: 'categorical', name: 'condition', categories, codes } as const;
  const covariates =
    pairs === undefined
      ? []
      : [
          {
            kind: 'categorical',
            name: 'donor',
            categories: numbered(pairs.count),
            codes: samples.sums.map(({ sample }) => pairs.of(sample)),
          } as const,
        ];
  const { design } = throwIfRefused(designOf({ tested, level: 'treated', reference: 'control', covariates }));
  const contrast = levelContrast(design, 'condition', 'treated', 'control');
  return { samples, sums: pseudobulkSums(counts, samples), design, contrasts: [contrast] };
}

function voomTest(data: SimulatedDonors, robust: boolean): Tested {
  const { sums, design, contrasts } = sumsOf(data);
  const { result } = throwIfRefused(pseudobulkTest(sums, design, contrasts, { robust }));
  return ofAllGenes(result.genes, result.tests.contrasts[0]!);
}

function sumTest(data: SimulatedDonors): Tested {
  const { sums, design, contrasts } = sumsOf(data);
  const { result } = throwIfRefused(negativeBinomialTest(sums, design, contrasts));
  return ofAllGenes(result.genes, result.contrasts[0]!);
}

function quasiTest(data: SimulatedDonors): Tested {
  const { sums, design, contrasts } = sumsOf(data);
  const { result } = throwIfRefused(quasiLikelihoodTest(sums, design, contrasts));
  return ofAllGenes(result.genes, result.contrasts[0]!);
}

export function ofAllGenes(genes: Int32Array, tested: Tested): Tested {
  const spread = (values: Float64Array) => {
    const all = new Float64Array(geneCount).fill(NaN);
    genes.forEach((gene, at) => (all[gene] = values[at]!));
    return all;
  };
  return { pValues: spread(tested.pValues), adjusted: spread(tested.adjusted) };
}
