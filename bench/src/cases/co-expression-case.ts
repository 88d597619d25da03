import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addToTotals,
  type AutocorrelationSetting,
  cellDepth,
  correlationScores,
  EntriesReader,
  geneModules,
  joinNearestCells,
  localAutocorrelations,
  localGraph,
  localSums,
  nearestCells,
  placePoints,
  standardised,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

const [dimensions, neighbours, pairedGenes, moduleCount] = [20, 30, 100, 5];

export const coExpressionCase: BenchCase = {
  name: 'co-expression',
  title: `300 genes of 3,000 to 100,000 cells, and modules of ${pairedGenes}; peer: hotspotsc, one thread each`,
  async run({ options, scratch, python, report }) {
    const genes = options.genes ?? 300;
    const results: Result[] = [];
    const hasPeer = python !== undefined && hasHotspot(python);
    const notes = hasPeer ? ['numba is warm'] : ['without the peer: CELLFOLIO_BENCH_PYTHON has no hotspotsc'];
    for (const cells of cellCounts(options)) {
      report(`  ${cells} cells`);
      const data = simulatedModules({ cells, genes });
      const ours = analysed(data);
      const peer = hasPeer ? await hotspotOf(python, scratch, data) : undefined;
      results.push(
        ...spentResults(`graph of ${cells} cells`, [ours.graph], peer && [peer.graph]),
        ...spentResults(`autocorrelations over ${cells} cells`, [ours.genes], peer && [peer.genes]),
        ...spentResults(`pairs and modules over ${cells} cells`, [ours.pairs], peer && [peer.pairs]),
      );
      const summary = `${cells} cells, ${data.block.values.length} counts: ${ours.moduleCount} modules`;
      notes.push(
        peer
          ? `${summary}, ${peer.modules} of the peer; largest difference of Z ${apart(ours.z, peer.z)}`
          : summary,
      );
    }
    return { results, notes };
  },
};

export interface SimulatedCounts {
  readonly points: Float32Array<ArrayBuffer>;
  readonly block: GeneBlock;
  readonly genes: number;
}

export const axisOf = (gene: number) => (gene % 3 === 0 ? gene % moduleCount : -1);

/** Genes rise along their component by `slope` in log units per standard deviation. */
export function simulatedModules(
  { cells, genes, slope = 0.8 }: { cells: number; genes: number; slope?: number },
  seed = 91,
): SimulatedCounts {
  const bits = new SeededBits(seed);
  const draws = new Uint32Array(2 * dimensions);
  const points = new Float32Array(cells * dimensions);
  const share = (draw: number) => (draw + 0.5) / 2 ** 32;
  for (let cell = 0; cell < cells; cell++) {
    bits.drawInto(draws);
    for (let at = 0; at < dimensions; at++) {
      points[cell * dimensions + at] =
        Math.sqrt(-2 * Math.log(share(draws[2 * at]!))) * Math.cos(2 * Math.PI * share(draws[2 * at + 1]!));
    }
  }
  const starts = new Float64Array(genes + 1);
  const [places, values]: [number[], number[]] = [[], []];
  const ofGene = new Uint32Array(cells);
  for (let gene = 0; gene < genes; gene++) {
    bits.drawInto(ofGene);
    const axis = axisOf(gene);
    for (let cell = 0; cell < cells; cell++) {
      const mean = 0.3 * (axis < 0 ? 1 : Math.exp(slope * points[cell * dimensions + axis]!));
      const count = poisson(mean, share(ofGene[cell]!));
      if (count === 0) continue;
      places.push(cell);
      values.push(count);
    }
    starts[gene + 1] = places.length;
  }
  const block = {
    cellCount: cells,
    firstGene: 0,
    starts,
    cells: Int32Array.from(places),
    values: Float32Array.from(values),
  };
  return { points, block, genes };
}

/** Poisson quantile: the smallest count whose cumulative probability exceeds `share`. */
function poisson(mean: number, share: number): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let below = term; below < share && count < 1000; below += term) term *= mean / ++count;
  return count;
}

/** Z of all genes, and the module of each (0 for none). The genes of highest Z are paired, whether or not they pass. */
export function analysed({ points, block, genes }: SimulatedCounts) {
  const { cellCount } = block;
  const ofGraph = stopwatch();
  const nearest = nearestCells(placePoints(points, dimensions), neighbours, { from: 0, to: cellCount });
  const graph = localGraph(joinNearestCells([nearest], cellCount));
  const spentOnGraph = ofGraph();
  const ofGenes = stopwatch();
  const placeOf = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const totals = new Float64Array(cellCount);
  addToTotals(block, placeOf, totals);
  const setting: AutocorrelationSetting = {
    graph,
    placeOf,
    depth: cellDepth(totals),
    model: 'danb',
    minCells: 1,
  };
  const { z } = localAutocorrelations(block, setting);
  const spentOnGenes = ofGenes();
  const ofPairs = stopwatch();
  const rows = Int32Array.from({ length: genes }, (_, gene) => gene)
    .sort((one, other) => z[other]! - z[one]!)
    .slice(0, pairedGenes);
  const values = new Float32Array(rows.length * cellCount);
  const entries = new EntriesReader(placeOf, cellCount);
  rows.forEach((row, at) => {
    entries.read(block, row);
    standardised(entries, setting.depth, 'danb', values.subarray(at * cellCount, (at + 1) * cellCount));
  });
  const pieces = [localSums({ count: rows.length, values }, graph, { from: 0, to: rows.length })];
  const scores = correlationScores(pieces, rows.length);
  const { sizes, moduleOf } = geneModules(scores, rows.length, { minGenes: 15, fdr: 0.05 });
  const pairs = ofPairs();
  const modules = new Int32Array(genes);
  rows.forEach((row, at) => (modules[row] = moduleOf[at]!));
  return { graph: spentOnGraph, genes: spentOnGenes, pairs, moduleCount: sizes.length, modules, z };
}

interface HotspotRun {
  readonly graph: Spent;
  readonly genes: Spent;
  readonly pairs: Spent;
  readonly modules: number;
  readonly z: readonly number[];
}

function hasHotspot(python: string): boolean {
  return spawnSync(python, ['-c', 'import hotspot'], { stdio: 'ignore' }).status === 0;
}

async function hotspotOf(
  python: string,
  scratch: string,
  { points, block, genes }: SimulatedCounts,
): Promise<HotspotRun> {
  const file = (name: string) => join(scratch, `co-expression-${name}.bin`);
  await writeFile(file('points'), new Uint8Array(points.buffer));
  for (const name of ['starts', 'cells', 'values'] as const) {
    const array = block[name];
    await writeFile(file(name), new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  const numbers = [dimensions, neighbours, pairedGenes, genes].map(String);
  return (await runForJson(python, [paths.coExpressionPeer, file('{}'), ...numbers])) as HotspotRun;
}

function apart(ours: Float64Array, theirs: readonly number[]): string {
  return theirs
    .reduce((maximum, one, gene) => Math.max(maximum, Math.abs(one - ours[gene]!)), 0)
    .toExponential(1);
}
