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
import { normalOf, SeededBits, shareOf } from '../data/seeded-bits.ts';
import { geneBlock } from '../data/sparse-rows.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { analysisCase, largestDifference } from './analysis-case.ts';

const [dimensions, neighbours, pairedGenes, moduleCount] = [20, 30, 100, 5];

interface Peer extends Readonly<Record<'graph' | 'genes' | 'pairs', Spent>> {
  modules: number;
  z: readonly number[];
}

export const coExpressionCase = analysisCase({
  name: 'co-expression',
  title: `300 genes of 3,000 to 100,000 cells, and modules of ${pairedGenes}; peer: hotspotsc, one thread each`,
  genes: 300,
  note: () => 'numba is warm',
  stages: { graph: 'graph', genes: 'autocorrelations', pairs: 'pairs and modules' },
  prepare: (size) => simulatedModules(size),
  ours: (data) => coExpression(data),
  peer: {
    packages: ['hotspot'],
    script: paths.coExpressionPeer,
    arrays: ({ points, block }) => [points, block.starts, block.cells, block.values],
    numbers: ({ block, genes }) => [block.cellCount, dimensions, neighbours, pairedGenes, genes],
  },
  findings: ({ counts, moduleCount: ours, z }, theirs: Peer | undefined) => {
    const summary = `${counts} counts, ${ours} modules`;
    return theirs
      ? `${summary}, ${theirs.modules} of the peer; largest difference of Z ${largestDifference(z, theirs.z)}`
      : summary;
  },
});

interface SimulatedCounts {
  points: Float32Array<ArrayBuffer>;
  block: GeneBlock;
  genes: number;
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
  for (let cell = 0; cell < cells; cell++) {
    bits.drawInto(draws);
    for (let at = 0; at < dimensions; at++) points[cell * dimensions + at] = normalOf(draws, at);
  }
  const ofGene = new Uint32Array(cells);
  const block = geneBlock({ cells, genes }, (gene, add) => {
    bits.drawInto(ofGene);
    const axis = axisOf(gene);
    for (let cell = 0; cell < cells; cell++) {
      const mean = 0.3 * (axis < 0 ? 1 : Math.exp(slope * points[cell * dimensions + axis]!));
      const count = poisson(mean, shareOf(ofGene[cell]!));
      if (count > 0) add(cell, count);
    }
  });
  return { points, block, genes };
}

/** Poisson quantile: the smallest count whose cumulative probability exceeds `share`. */
function poisson(mean: number, share: number): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let below = term; below < share && count < 1000; below += term) term *= mean / ++count;
  return count;
}

/** Z of all genes, and the module of each (0 for none). The genes of highest Z are paired, whether or not they pass. */
export function coExpression({ points, block, genes }: SimulatedCounts) {
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
  return {
    graph: spentOnGraph,
    genes: spentOnGenes,
    pairs,
    counts: block.values.length,
    moduleCount: sizes.length,
    modules,
    z,
  };
}
