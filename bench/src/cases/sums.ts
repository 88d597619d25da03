import { join } from 'node:path';
import {
  designOf,
  levelContrast,
  pseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  sideDesign,
  valueEnds,
  type Design,
  type GeneSampleMatrix,
  type PseudobulkSamples,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { SeededBits, shareOf } from '../data/seeded-bits.ts';
import { geneBlock } from '../data/sparse-rows.ts';
import { runForJson, writeArrays } from '../measure/child.ts';
import { type Spent, stopwatch, sum } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { hasPackages } from '../python-environment.ts';
import { analysisCase, type AnalysisSize, largestDifference } from './analysis-case.ts';

const packages = ['edgeR', 'limma', 'Matrix', 'jsonlite'];

export const donorCount = 8;
/** Percent of the cells of a donor that are an end. */
const endShare = 10;
const repeats = 5;

interface DecilesPeer extends Readonly<Record<'sums' | 'test', readonly Spent[]>> {
  kept: readonly number[];
  p: readonly number[];
}

export const decilesCase = analysisCase({
  name: 'deciles',
  title: '1,000 genes in the ends of 3,000 to 100,000 cells of 8 donors; peer: Matrix, edgeR and limma in R',
  genes: 1000,
  note: ({ genes, density }) => `${genes} genes, ${(100 * density).toFixed(0)} % of the counts are not 0`,
  stages: { sums: 'ends and sums', test: 'test' },
  warmUp: 3000,
  repeats,
  prepare: rankedCounts,
  ours: comparedEnds,
  peer: {
    program: 'Rscript',
    packages,
    script: paths.decilesPeer,
    arrays: ({ block, donors, values }) => [
      Int32Array.from(block.starts),
      block.cells,
      Int32Array.from(block.values),
      donors,
      values,
    ],
    numbers: ({ block }) => [
      block.cellCount,
      block.starts.length - 1,
      block.cells.length,
      donorCount,
      endShare,
      repeats,
    ],
  },
  findings: ({ genes, pValues }, theirs: DecilesPeer | undefined) => {
    if (!theirs) return undefined;
    const { kept: peerGenes, p } = theirs;
    const same = peerGenes.length === genes.length && peerGenes.every((gene, at) => gene === genes[at]);
    return same
      ? `the same ${genes.length} genes are tested; largest difference of p ${largestDifference(pValues, p)}`
      : `${genes.length} genes are tested, and ${peerGenes.length} by the peer`;
  },
});

interface RankedCounts {
  block: GeneBlock;
  donors: Int32Array;
  values: Float64Array;
}

/** A tenth of the genes follows the ranking value. */
function rankedCounts({ cells, genes, density }: AnalysisSize): RankedCounts {
  const bits = new SeededBits(73);
  const draws = new Uint32Array(cells);
  bits.drawInto(draws);
  const values = Float64Array.from(draws, (draw) => draw / 2 ** 32);
  const donors = Int32Array.from({ length: cells }, (_, cell) => cell % donorCount);
  const block = geneBlock({ cells, genes }, (gene, add) => {
    bits.drawInto(draws);
    const slope = gene % 10 === 0 ? 0.8 : 0;
    for (let cell = 0; cell < cells; cell++) {
      const chance = density * (1 + slope * (2 * values[cell]! - 1));
      const draw = shareOf(draws[cell]!);
      if (draw < chance) add(cell, 1 + Math.floor(-Math.log(draw / chance)));
    }
  });
  return { block, donors, values };
}

export function comparedEnds({ block, donors, values }: RankedCounts) {
  const ofSums = stopwatch();
  const { sides } = valueEnds(
    { values, samples: { codes: donors, count: donorCount } },
    { share: endShare, minCells: 10 },
  );
  const categories = Array.from({ length: donorCount }, (_, donor) => `D${donor}`);
  const samples = pseudobulkSamples(
    { codes: donors, categories },
    { codes: Int32Array.from(sides, (side) => (side > 1 ? -1 : side)), categories: ['high', 'low'] },
    { minCells: 10 },
  );
  const matrix = pseudobulkSums(block, samples);
  const sums = ofSums();
  const ofTest = stopwatch();
  const codes = Int32Array.from(samples.sums, ({ sample }) => sample);
  const outcome = sideDesign({
    samples: { kind: 'categorical', name: 'donor', categories, codes },
    sides: samples.sums.map(({ group }) => group),
    covariates: [],
    pairing: 'by-sample',
  });
  const { design, contrast } = throwIfRefused(outcome).design;
  const { genes, tests } = throwIfRefused(pseudobulkTest(matrix, design, [contrast])).result;
  return { sums, test: ofTest(), genes, ...tests.contrasts[0]! };
}

const sampleCount = 40;
const groupCount = 20;
/** One block is summed repeatedly: only the number of the billion entries matters, not their values. */
const genesOfBlock = 20;

export const pseudobulkCase: BenchCase = {
  name: 'pseudobulk',
  title: 'sums of 40 samples × 20 groups, each group tested; peer: Matrix, edgeR and limma in R',
  async run({ options, scratch, peer, report }) {
    const { cells, genes, density } = sizeOf(options, { cells: 1_000_000, genes: 20_000 });
    const bits = new SeededBits(40);
    report('  sums');
    const sums = timeSums(bits, { cells, genes, density });
    report('  tests');
    const design = twoConditions();
    const contrasts = [levelContrast(design, 'condition', 'b', 'a')];
    const groups = Array.from({ length: groupCount }, () => simulatedSums(bits, genes));
    let first: Float64Array | undefined;
    const ours = groups.map((counts) => {
      const spent = stopwatch();
      const answer = pseudobulkTest(counts, design, contrasts);
      const [, seconds] = spent();
      first ??= throwIfRefused(answer).result.tests.contrasts[0]!.pValues;
      return seconds;
    });
    if (peer) report('  peer');
    const limma = peer ? await limmaOf(scratch, { ...sums, genes }, groups) : undefined;
    if (limma && limma.check !== sums.check) throw new Error(`sums in R: ${limma.check}, ours ${sums.check}`);
    return {
      results: [
        {
          quantity: `sums of ${genes} genes, processor time`,
          unit: 's',
          ours: [sums.seconds],
          peer: limma && [limma.sums],
        },
        {
          quantity: `sums of ${genesOfBlock} genes, processor time; peer: rowsum`,
          unit: 's',
          ours: [(sums.seconds * genesOfBlock) / genes],
          peer: limma && [limma.rowsum],
          target: { kind: 'ratio-at-least', limit: 5 },
        },
        {
          quantity: 'one group tested, with its map of samples, processor time',
          unit: 's',
          ours,
          peer: limma?.seconds,
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        {
          quantity: 'sums, and tests of all groups, processor time',
          unit: 's',
          ours: [sums.seconds + sum(ours)],
          peer: limma && [limma.sums + sum(limma.seconds)],
          target: { kind: 'ratio-at-least', limit: 5 },
        },
      ],
      notes: [
        `${sums.entries} entries of ${cells} cells; one thread`,
        limma
          ? `p-values of ${first!.length} genes: largest relative difference ${largestRatio(first!, limma.p)}`
          : `without the peer: no Rscript with ${packages.join(', ')}`,
      ],
    };
  },
};

interface Summed {
  block: GeneBlock;
  samples: PseudobulkSamples;
  seconds: number;
  entries: number;
  check: number;
}

function timeSums(
  bits: SeededBits,
  { cells, genes, density }: { cells: number; genes: number; density: number },
): Summed {
  const draws = new Uint32Array(cells);
  const labels = (count: number) => {
    bits.drawInto(draws);
    return {
      codes: Int8Array.from(draws, (draw) => draw % count),
      categories: Array.from({ length: count }, (_, at) => `${at}`),
    };
  };
  const samples = pseudobulkSamples(labels(sampleCount), labels(groupCount), { minCells: 10 });
  const block = randomBlock(bits, cells, density);
  const matrix = new Float64Array(genes * samples.sums.length);
  const spent = stopwatch();
  let entries = 0;
  for (let gene = 0; gene < genes; gene += genesOfBlock) {
    const { values } = pseudobulkSums(block, samples);
    const room = matrix.length - gene * samples.sums.length;
    matrix.set(values.subarray(0, room), gene * samples.sums.length);
    entries += block.cells.length;
  }
  const [, seconds] = spent();
  const width = samples.sums.length;
  const first = matrix.subarray(0, genesOfBlock * width);
  return {
    block,
    samples,
    seconds,
    entries,
    check: first.reduce((sum, value, at) => sum + value * ((at % width) + 1), 0),
  };
}

function randomBlock(bits: SeededBits, cells: number, density: number): GeneBlock {
  const draws = new Uint32Array(cells);
  return geneBlock({ cells, genes: genesOfBlock }, (_, add) => {
    bits.drawInto(draws);
    for (let cell = 0; cell < cells; cell++) if (draws[cell]! < density * 2 ** 32) add(cell, 1 + (cell % 3));
  });
}

function twoConditions(): Design {
  const codes = Array.from({ length: sampleCount }, (_, sample) => sample % 2);
  const tested = { kind: 'categorical', name: 'condition', categories: ['a', 'b'], codes } as const;
  return throwIfRefused(designOf({ tested, level: 'b', reference: 'a' })).design;
}

function simulatedSums(bits: SeededBits, geneCount: number): GeneSampleMatrix {
  const draws = new Uint32Array(sampleCount + 1);
  const values = new Float64Array(geneCount * sampleCount);
  for (let gene = 0; gene < geneCount; gene++) {
    bits.drawInto(draws);
    const mean = Math.exp((draws[sampleCount]! / 2 ** 32) * 10);
    for (let sample = 0; sample < sampleCount; sample++) {
      values[gene * sampleCount + sample] = Math.round(mean * (0.3 + (1.4 * draws[sample]!) / 2 ** 32));
    }
  }
  return { geneCount, sampleCount, values };
}

interface LimmaRun {
  sums: number;
  rowsum: number;
  check: number;
  seconds: readonly number[];
  p: readonly number[];
}

async function limmaOf(
  scratch: string,
  { block, samples, genes }: Summed & { genes: number },
  groups: readonly GeneSampleMatrix[],
): Promise<LimmaRun | undefined> {
  if (!hasPackages('Rscript', packages)) return undefined;
  const { starts, cells, values, cellCount } = block;
  const blockFile = join(scratch, 'pseudobulk-block.bin');
  await writeArrays(blockFile, integers([starts, cells, values, samples.codes]));
  const testedFile = join(scratch, 'pseudobulk-tested.bin');
  await writeArrays(testedFile, integers(groups.map(({ values: counts }) => counts)));
  const size = [cellCount, genesOfBlock, cells.length, genes].map(String);
  const tested = [groups[0]!.geneCount, sampleCount, groups.length].map(String);
  return (await runForJson('Rscript', [
    paths.pseudobulkPeer,
    blockFile,
    ...size,
    testedFile,
    ...tested,
  ])) as LimmaRun;
}

const integers = (parts: readonly ArrayLike<number>[]) => parts.map((part) => Int32Array.from(part));

function largestRatio(ours: Float64Array, theirs: readonly number[]): string {
  if (ours.length !== theirs.length) return `none: ${theirs.length} genes there`;
  const differences = theirs.map((p, gene) => Math.abs(ours[gene]! / p - 1));
  return differences.reduce((largest, one) => Math.max(largest, one), 0).toExponential(1);
}

/** The answer of a test that is not refused. Throws with the code of a refusal. */
export function throwIfRefused<Answer extends object>(answer: Answer): Exclude<Answer, { refusal: unknown }> {
  if ('refusal' in answer) throw new Error((answer.refusal as { code: string }).code);
  return answer as Exclude<Answer, { refusal: unknown }>;
}
