import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  designOf,
  levelContrast,
  pseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  type Design,
  type GeneSampleMatrix,
  type PseudobulkSamples,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import { paths } from '../paths.ts';

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
      const start = process.cpuUsage();
      const answer = pseudobulkTest(counts, design, contrasts);
      const seconds = processorSeconds(start);
      if ('refusal' in answer) throw new Error(answer.refusal.code);
      first ??= answer.result.tests.contrasts[0]!.pValues;
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
          ...(limma && { peer: [limma.sums] }),
        },
        {
          quantity: `sums of ${genesOfBlock} genes, processor time; peer: rowsum`,
          unit: 's',
          ours: [(sums.seconds * genesOfBlock) / genes],
          ...(limma && { peer: [limma.rowsum] }),
          target: { kind: 'ratio-at-least', limit: 5 },
        },
        {
          quantity: 'one group tested, with its map of samples, processor time',
          unit: 's',
          ours,
          ...(limma && { peer: limma.seconds }),
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        {
          quantity: 'sums, and tests of all groups, processor time',
          unit: 's',
          ours: [sums.seconds + total(ours)],
          ...(limma && { peer: [limma.sums + total(limma.seconds)] }),
          target: { kind: 'ratio-at-least', limit: 5 },
        },
      ],
      notes: [
        `${sums.entries} entries of ${cells} cells; one thread`,
        limma
          ? `p-values of ${first!.length} genes: largest relative difference ${largestDifference(first!, limma.p)}`
          : 'without the peer: no Rscript with edgeR, limma, Matrix and jsonlite',
      ],
    };
  },
};

/** Processor seconds of this process, including garbage collection; unaffected by other load on the machine. */
function processorSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

const total = (seconds: readonly number[]) => seconds.reduce((sum, one) => sum + one, 0);

interface Summed {
  readonly block: GeneBlock;
  readonly samples: PseudobulkSamples;
  readonly seconds: number;
  readonly entries: number;
  readonly check: number;
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
  const start = process.cpuUsage();
  let entries = 0;
  for (let gene = 0; gene < genes; gene += genesOfBlock) {
    const { values } = pseudobulkSums(block, samples);
    const room = matrix.length - gene * samples.sums.length;
    matrix.set(values.subarray(0, room), gene * samples.sums.length);
    entries += block.cells.length;
  }
  const seconds = processorSeconds(start);
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

function randomBlock(bits: SeededBits, cellCount: number, density: number): GeneBlock {
  const starts = [0];
  const parts: Int32Array[] = [];
  const draws = new Uint32Array(cellCount);
  for (let gene = 0; gene < genesOfBlock; gene++) {
    bits.drawInto(draws);
    const cells = Int32Array.from(draws.keys()).filter((cell) => draws[cell]! < density * 2 ** 32);
    parts.push(cells);
    starts.push(starts.at(-1)! + cells.length);
  }
  const cells = new Int32Array(starts.at(-1)!);
  parts.forEach((part, gene) => cells.set(part, starts[gene]!));
  const values = Float32Array.from(cells, (cell) => 1 + (cell % 3));
  return { cellCount, firstGene: 0, starts: Float64Array.from(starts), cells, values };
}

function twoConditions(): Design {
  const codes = Array.from({ length: sampleCount }, (_, sample) => sample % 2);
  const tested = { kind: 'categorical', name: 'condition', categories: ['a', 'b'], codes } as const;
  const answer = designOf({ tested, level: 'b', reference: 'a' });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.design;
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
  readonly sums: number;
  readonly rowsum: number;
  readonly check: number;
  readonly seconds: readonly number[];
  readonly p: readonly number[];
}

async function limmaOf(
  scratch: string,
  { block, samples, genes }: Summed & { genes: number },
  groups: readonly GeneSampleMatrix[],
): Promise<LimmaRun | undefined> {
  const needs =
    'for (p in c("edgeR", "limma", "Matrix", "jsonlite")) stopifnot(requireNamespace(p, quietly = TRUE))';
  if (spawnSync('Rscript', ['-e', needs], { stdio: 'ignore' }).status !== 0) return undefined;
  const { starts, cells, values, cellCount } = block;
  const blockFile = join(scratch, 'pseudobulk-block.bin');
  await writeFile(blockFile, integers([starts, cells, values, samples.codes]));
  const testedFile = join(scratch, 'pseudobulk-tested.bin');
  await writeFile(testedFile, integers(groups.map(({ values: counts }) => counts)));
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

function integers(parts: readonly ArrayLike<number>[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(Int32Array.from(part).buffer)));
}

function largestDifference(ours: Float64Array, theirs: readonly number[]): string {
  if (ours.length !== theirs.length) return `none: ${theirs.length} genes there`;
  const differences = theirs.map((p, gene) => Math.abs(ours[gene]! / p - 1));
  return differences.reduce((largest, one) => Math.max(largest, one), 0).toExponential(1);
}
