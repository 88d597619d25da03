import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CellMask, GeneBlock, GeneColumn } from '@cellfolio/model';
import { blockMeans } from './block-means.ts';
import { NoControlGenes, NoExpressionMeans, planSignature } from './plan-signature.ts';
import { ScoreSum, signatureScores } from './signature-scores.ts';

interface Case {
  title: string;
  genes: number[];
  mask: boolean;
  options: { nBins?: number; controlSize?: number; seed?: number };
  controls?: number[];
  scores?: number[];
  error?: string;
}
/** Written by fixtures/analysis/scores_reference.py: the matrix as CSC, with values as indices into the palette. */
interface Reference {
  cellCount: number;
  geneCount: number;
  palette: number[];
  starts: number[];
  cells: number[];
  values: number[];
  mask: number[];
  means: number[];
  maskedMeans: number[];
  expressing: number[];
  maskedExpressing: number[];
  cases: Case[];
  missing: {
    entries: number[];
    means: number[];
    genes: number[];
    controls: number[];
    scores: (number | null)[];
  };
}
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'scores-reference.json'), 'utf8'),
) as Reference;

const { cellCount, geneCount, palette } = reference;
const block: GeneBlock = {
  cellCount,
  firstGene: 0,
  starts: Float64Array.from(reference.starts),
  cells: Int32Array.from(reference.cells),
  values: Float32Array.from(reference.values, (value) => palette[value]!),
};
const bits = Uint8Array.from(reference.mask);
const mask: CellMask = { bits, count: bits.filter((bit) => bit === 1).length };

function column(gene: number, { starts, cells, values } = block): GeneColumn {
  const [start, end] = [starts[gene]!, starts[gene + 1]!];
  return { cellCount, cells: cells.subarray(start, end), values: values.subarray(start, end) };
}

function sumOf(genes: Int32Array): ScoreSum {
  const sum = new ScoreSum(cellCount);
  for (const gene of genes) sum.add(column(gene));
  return sum;
}

test('the means of genes are those of scanpy to the last bit, in which genes of the same values differ', () => {
  const { firstGene, means, expressing } = blockMeans(block);
  expect(firstGene).toBe(0);
  expect([...means]).toEqual(reference.means);
  expect([...expressing]).toEqual(reference.expressing);
});

test('the means over the cells of a mask are those of the masked matrix', () => {
  const { means, expressing } = blockMeans(block, mask);
  expect([...means]).toEqual(reference.maskedMeans);
  expect([...expressing]).toEqual(reference.maskedExpressing);
});

test('the means of a block that starts in the middle are those of its genes', () => {
  const [first, count] = [100, 30];
  const from = block.starts[first]!;
  const part: GeneBlock = {
    cellCount,
    firstGene: first,
    starts: block.starts.slice(first, first + count + 1).map((start) => start - from),
    cells: block.cells.subarray(from),
    values: block.values.subarray(from),
  };
  const { firstGene, means } = blockMeans(part);
  expect(firstGene).toBe(first);
  expect([...means]).toEqual(reference.means.slice(first, first + count));
});

test('the mean over no cells is NaN', () => {
  const { means } = blockMeans(block, { bits: new Uint8Array(cellCount), count: 0 });
  expect([...means].every(Number.isNaN)).toBe(true);
});

test.each(reference.cases.filter((one) => one.controls))(
  'control genes and scores are those of scanpy: $title',
  ({ genes, mask: masked, options, controls, scores }) => {
    const means = blockMeans(block, masked ? mask : undefined).means;
    const plan = planSignature({ means, genes, ...options });
    expect([...plan.controls]).toEqual(controls);
    expect([...plan.genes]).toEqual([...new Set(genes)]);

    const ours = signatureScores(sumOf(plan.genes), sumOf(plan.controls), masked ? mask : undefined);
    expect(ours.length).toBe(cellCount);
    const scored = masked ? ours.filter((_, cell) => bits[cell] === 1) : ours;
    expect(scored.length).toBe(scores!.length);
    noteDifferences('scores', scored, scores!, 1);
    for (let i = 0; i < scored.length; i++) expect(Math.abs(scored[i]! - scores![i]!)).toBeLessThan(1e-6);
    expect(ours.filter((score) => Number.isNaN(score)).length).toBe(cellCount - scored.length);
  },
);

test.each(reference.cases.filter((one) => one.error))(
  'a signature without control genes is refused where scanpy raises: $title',
  ({ genes, options, error }) => {
    expect(error).toContain('No control genes found in any cut.');
    const { means } = blockMeans(block);
    expect(() => planSignature({ means, genes, ...options })).toThrow(NoControlGenes);
    expect(() => planSignature({ means, genes, ...options })).toThrow(
      `No genes of similar expression are left to compare the ${genes.length} genes of this signature with`,
    );
  },
);

test('a dataset of one gene has nothing to compare it with', () => {
  expect(() => planSignature({ means: Float64Array.of(1), genes: [0] })).toThrow(
    'No gene of similar expression is left to compare the gene of this signature with',
  );
});

test('without cells there is no plan, and the text says so', () => {
  const { means } = blockMeans(block, { bits: new Uint8Array(cellCount), count: 0 });
  expect(() => planSignature({ means, genes: [4] })).toThrow(NoExpressionMeans);
  expect(() => planSignature({ means, genes: [4] })).toThrow('choose a subset that has cells');
});

test('missing values count neither in the means of genes nor in the scores of cells, as in scanpy', () => {
  const { entries, means: expected, genes, controls, scores } = reference.missing;
  const values = block.values.slice();
  for (const entry of entries) values[entry] = NaN;
  const withMissing: GeneBlock = { ...block, values };
  const { means } = blockMeans(withMissing);
  expect([...means]).toEqual(expected);

  const plan = planSignature({ means, genes, controlSize: 4 });
  expect([...plan.controls]).toEqual(controls);
  const sums = [plan.genes, plan.controls].map((rows) => {
    const sum = new ScoreSum(cellCount);
    for (const gene of rows) sum.add(column(gene, withMissing));
    return sum;
  }) as [ScoreSum, ScoreSum];
  const ours = signatureScores(...sums);
  expect(scores.filter((score) => score === null).length).toBe(1);
  scores.forEach((score, cell) => {
    expect(Number.isNaN(ours[cell])).toBe(score === null);
    expect(Math.abs((ours[cell]! || 0) - (score ?? 0))).toBeLessThan(1e-6);
  });
});

test('a gene without a finite mean takes no part, as in scanpy', () => {
  const means = Float64Array.from(reference.means);
  const three = planSignature({ means, genes: [3], nBins: 2, controlSize: geneCount });
  means[7] = NaN;
  const without = planSignature({ means, genes: [3], nBins: 2, controlSize: geneCount });
  expect(three.controls).toContain(7);
  expect(without.controls).not.toContain(7);
});

test.each([
  { genes: [] },
  { genes: [geneCount] },
  { genes: [-1] },
  { genes: [1], nBins: 1 },
  { genes: [1], controlSize: 0 },
])('a plan of $genes with nBins $nBins and controlSize $controlSize is a mistake of the caller', (input) => {
  const means = Float64Array.from(reference.means);
  expect(() => planSignature({ means, ...input })).toThrow(RangeError);
});

test('sums of other cells, or of no genes, make no score', () => {
  const empty = new ScoreSum(cellCount);
  const one = sumOf(Int32Array.of(1));
  expect(() => signatureScores(one, empty)).toThrow('at least one gene and one control gene');
  expect(() => signatureScores(one, new ScoreSum(cellCount + 1))).toThrow(RangeError);
  expect(() => signatureScores(one, one, { bits: new Uint8Array(1), count: 0 })).toThrow(RangeError);
  expect(() => new ScoreSum(1).add(column(1))).toThrow(RangeError);
});

test('sums of parts joined are the sum of all, missing values included', () => {
  const gene = (cells: number[], values: number[]) => ({
    cellCount: 4,
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  });
  const genes = [gene([0, 1], [1, 2]), gene([1, 3], [Number.NaN, 4]), gene([0, 1, 2], [0.5, 3, Number.NaN])];
  const all = new ScoreSum(4);
  for (const one of genes) all.add(one);
  const joined = new ScoreSum(4);
  for (const part of [genes.slice(0, 1), genes.slice(1)]) {
    const sum = new ScoreSum(4);
    for (const one of part) sum.add(one);
    joined.join(sum.summed);
  }
  expect(joined.geneCount).toBe(3);
  expect([...joined.means()]).toEqual([...all.means()]);
  expect(() => joined.join(new ScoreSum(3).summed)).toThrow(RangeError);
});
