import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  pseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  sideDesign,
  valueEnds,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

export const donorCount = 8;
const share = 10;
const repeats = 5;

interface Peer {
  readonly sums: readonly Spent[];
  readonly test: readonly Spent[];
  readonly kept: readonly number[];
  readonly p: readonly number[];
}

export const decilesCase: BenchCase = {
  name: 'deciles',
  title: '1,000 genes in the ends of 3,000 to 100,000 cells of 8 donors; peer: Matrix, edgeR and limma in R',
  async run({ options, scratch, peer, report }) {
    const geneCount = options.genes ?? 1000;
    const hasPeer = peer && spawnSync('Rscript', ['--version'], { stdio: 'ignore' }).status === 0;
    const results: Result[] = [];
    const notes = [
      `${geneCount} genes, ${(100 * options.density).toFixed(0)} % of the counts are not 0${hasPeer ? '' : '; without the peer: no Rscript'}`,
    ];
    // Machine code is made at the first call, as that of R is with its packages.
    compared(simulated(3000, geneCount, options.density));
    for (const cellCount of cellCounts(options)) {
      report(`  ${cellCount} cells`);
      const cells = simulated(cellCount, geneCount, options.density);
      const runs = Array.from({ length: repeats }, () => compared(cells));
      const ours = runs[0]!;
      const theirs = hasPeer ? await limmaOf(join(scratch, `deciles-${cellCount}.bin`), cells) : undefined;
      results.push(
        ...spentResults(
          `ends and sums of ${cellCount} cells`,
          runs.map(({ sums }) => sums),
          theirs?.sums,
        ),
        ...spentResults(
          `test of ${cellCount} cells`,
          runs.map(({ test }) => test),
          theirs?.test,
        ),
      );
      if (theirs) notes.push(`${cellCount} cells: ${agreement(ours, theirs)}`);
    }
    return { results, notes };
  },
};

export interface RankedCounts {
  readonly block: GeneBlock;
  readonly donors: Int32Array;
  readonly values: Float64Array;
}

/** A tenth of the genes follows the ranking value. */
function simulated(cellCount: number, geneCount: number, density: number): RankedCounts {
  const bits = new SeededBits(73);
  const draws = new Uint32Array(cellCount);
  bits.drawInto(draws);
  const values = Float64Array.from(draws, (draw) => draw / 2 ** 32);
  const donors = Int32Array.from({ length: cellCount }, (_, cell) => cell % donorCount);
  const starts = new Float64Array(geneCount + 1);
  const [cells, counts]: [number[], number[]] = [[], []];
  for (let gene = 0; gene < geneCount; gene++) {
    bits.drawInto(draws);
    const slope = gene % 10 === 0 ? 0.8 : 0;
    for (let cell = 0; cell < cellCount; cell++) {
      const chance = density * (1 + slope * (2 * values[cell]! - 1));
      const draw = (draws[cell]! + 0.5) / 2 ** 32;
      if (draw >= chance) continue;
      cells.push(cell);
      counts.push(1 + Math.floor(-Math.log(draw / chance)));
    }
    starts[gene + 1] = cells.length;
  }
  const block = {
    cellCount,
    firstGene: 0,
    starts,
    cells: Int32Array.from(cells),
    values: Float32Array.from(counts),
  };
  return { block, donors, values };
}

export function compared({ block, donors, values }: RankedCounts) {
  const ofSums = stopwatch();
  const { sides } = valueEnds(
    { values, samples: { codes: donors, count: donorCount } },
    { share, minCells: 10 },
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
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  const { design, contrast } = outcome.design;
  const answer = pseudobulkTest(matrix, design, [contrast]);
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { genes, tests } = answer.result;
  return { sums, test: ofTest(), genes, ...tests.contrasts[0]! };
}

async function limmaOf(file: string, { block, donors, values }: RankedCounts): Promise<Peer> {
  const parts = [Int32Array.from(block.starts), block.cells, Int32Array.from(block.values), donors, values];
  await writeFile(
    file,
    Buffer.concat(
      parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ),
  );
  const sizes = [
    block.cellCount,
    block.starts.length - 1,
    block.cells.length,
    donorCount,
    share,
    repeats,
  ].map(String);
  return (await runForJson('Rscript', [paths.decilesPeer, file, ...sizes])) as Peer;
}

function agreement({ genes, pValues }: ReturnType<typeof compared>, { kept, p }: Peer): string {
  const same = kept.length === genes.length && kept.every((gene, at) => gene === genes[at]);
  if (!same) return `${genes.length} genes are tested, and ${kept.length} by the peer`;
  const apart = p.reduce((maximum, one, at) => Math.max(maximum, Math.abs(one - pValues[at]!)), 0);
  return `the same ${genes.length} genes are tested; largest difference of p ${apart.toExponential(1)}`;
}
