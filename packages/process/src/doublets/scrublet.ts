import type { NeighbourRecall } from '@cellfolio/model';
import { type EntryRows, entryMemory } from '../components/entry-rows.ts';
import { nearestCells, type NearestCells } from '../nearest-cells.ts';
import { seededRandom, seeds } from '../random.ts';
import { principalComponents } from '../components/principal-components.ts';
import { medianOf } from '../quality/plan-quality.ts';
import { genesWithinCutoffs, type GeneMoments } from '../variable-genes.ts';

/** With fewer cells or variable genes there are no components to detect doublets by. */
export const minCells = 50;
const minVariableGenes = 10;
const ratio = 2;

export interface SampleScores {
  scores: Float64Array;
  simulatedScores: Float64Array;
  /** Present for an approximate neighbour search. */
  recall?: NeighbourRecall;
}

/**
 * Doublet scores of one sample's cells, and of simulated doublets: Scrublet (Wolock et al. 2019,
 * doi:10.1016/j.cels.2018.11.005). Undefined if too few genes vary. `parents`: two indices per simulated doublet;
 * default drawn at random.
 */
export async function scrublet(
  sample: EntryRows,
  { threads, parents }: { threads: number; parents?: Int32Array },
): Promise<SampleScores | undefined> {
  const { cells, rows } = variableCells(sample);
  if (rows.geneCount < minVariableGenes || cells.length < minCells) return undefined;
  const space = await doubletSpace(rows, parents ?? drawnParents(cells.length), threads);
  const neighbours = neighboursFor(cells.length, ratio);
  const nearest = await nearestCells(space, neighbours - 1, threads);
  const all = doubletScores(simulatedAmong(nearest, cells.length), { neighbours, ratio });
  const scores = new Float64Array(sample.cellCount).fill(NaN);
  cells.forEach((cell, at) => (scores[cell] = all[at]!));
  return {
    scores,
    simulatedScores: all.slice(cells.length),
    ...(nearest.recall && { recall: nearest.recall }),
  };
}

/** Two different cells per doublet: the same for the same number of cells. */
function drawnParents(cells: number): Int32Array {
  const random = seededRandom(seeds.doublets);
  const parents = new Int32Array(2 * ratio * cells);
  for (let at = 0; at < parents.length; at += 2) {
    const one = Math.floor(random() * cells);
    const other = Math.floor(random() * (cells - 1));
    parents[at] = one;
    parents[at + 1] = other < one ? other : other + 1;
  }
  return parents;
}

/** Number of simulated doublets among the nearest of each cell and doublet; none counts itself, as in scanpy. */
function simulatedAmong({ cellCount: points, k, indices }: NearestCells, cells: number): Int32Array {
  return Int32Array.from({ length: points }, (_, point) => {
    let simulated = 0;
    for (let at = point * k; at < (point + 1) * k; at++) if (indices[at]! >= cells) simulated++;
    return simulated;
  });
}

/** Prior doublet rate, scanpy's default. */
const expectedRate = 0.05;

/**
 * Probability of being a doublet, from the share of simulated doublets among each cell's nearest neighbours and the
 * expected rate (Wolock et al. 2019, doi:10.1016/j.cels.2018.11.005, as in scanpy's `pp.scrublet`).
 * `simulatedNeighbours`: number of simulated ones among the `neighbours` nearest, which include the cell itself.
 * `ratio`: simulated doublets per cell.
 */
function doubletScores(
  simulatedNeighbours: ArrayLike<number>,
  { neighbours, ratio }: { neighbours: number; ratio: number },
): Float64Array {
  return Float64Array.from(simulatedNeighbours, (simulated) => {
    // The mean of a beta distribution over the share, after a uniform one.
    const share = (simulated + 1) / (neighbours + 2);
    return (
      (share * expectedRate) / ratio / (1 - expectedRate - share * (1 - expectedRate - expectedRate / ratio))
    );
  });
}

/** Number of neighbours to search: half the square root of the number of cells, scaled up by the simulated doublets. */
function neighboursFor(cells: number, ratio: number): number {
  return roundHalfEven(roundHalfEven(0.5 * Math.sqrt(cells)) * (1 + ratio));
}

/** Rounds like Python. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** As filtered before scanpy's `pp.scrublet`. */
const minCellsOfGene = 3;
const minGenesOfCell = 3;
const maxComponents = 30;
const targetSum = 1e6;

/** Cells of one sample that can be distinguished from doublets, by the genes that vary between them. */
interface VariableCells {
  cells: Int32Array;
  rows: EntryRows;
}

/**
 * Genes in at least three cells, cells with at least three of them, and the variable ones of those genes: by the
 * cutoffs of scanpy's `highly_variable_genes` on counts normalised to the median of the cells.
 */
function variableCells(sample: EntryRows): VariableCells {
  const inCells = new Int32Array(sample.geneCount);
  for (let at = 1; at < sample.words.length; at += 2) inCells[sample.words[at]!]! += 1;
  const expressed = marked(sample, { genes: marks(inCells, minCellsOfGene) });
  const genesOf = Int32Array.from(
    { length: expressed.cellCount },
    (_, cell) => expressed.pointers[cell + 1]! - expressed.pointers[cell]!,
  );
  const enough = marks(genesOf, minGenesOfCell);
  const filled = marked(expressed, { cells: enough });
  const totals = totalsOf(filled);
  const median = medianOf(totals);
  const moments = momentsOfRows(
    filled,
    totals.map((total) => median / total),
  );
  return {
    cells: Int32Array.from(enough.keys()).filter((cell) => enough[cell] === 1),
    rows: marked(filled, { genes: genesWithinCutoffs(moments) }),
  };
}

function marks(counts: Int32Array, minimum: number): Uint8Array {
  return Uint8Array.from(counts, (count) => Number(count >= minimum));
}

interface DoubletSpace {
  /** `components` for each cell, then for each doublet. */
  coordinates: Float64Array;
  components: number;
}

/**
 * Principal components of the cells, with counts normalised to a million and each gene scaled to mean 0 and standard
 * deviation 1; doublets are put into the same space by the same means and deviations. A doublet is the sum of its
 * parents' counts, and a projection is linear: it is computed from those of the parents, so that no doublet is ever
 * held as counts. `parents`: two indices per doublet.
 */
async function doubletSpace(rows: EntryRows, parents: Int32Array, threads: number): Promise<DoubletSpace> {
  const { cellCount, geneCount } = rows;
  const totals = totalsOf(rows);
  const factors = totals.map(factorOf);
  const { means, variances } = momentsOfRows(rows, factors);
  const scales = variances.map((variance) => (variance > 0 ? 1 / Math.sqrt(variance) : 0));
  const componentCount = Math.min(maxComponents, geneCount - 1, cellCount - 1);
  const { components, axes } = await principalComponents(
    scaled(rows, factors, scales),
    componentCount,
    threads,
  );
  // Gene after gene, over the deviation of the gene; and where a cell without counts would lie.
  const weights = new Float64Array(geneCount * components);
  const origin = new Float64Array(components);
  for (let gene = 0; gene < geneCount; gene++) {
    for (let component = 0; component < components; component++) {
      const weight = axes[component * geneCount + gene]! * scales[gene]!;
      weights[gene * components + component] = weight;
      origin[component]! -= weight * means[gene]!;
    }
  }
  return { coordinates: placed(rows, { totals, weights, origin, parents }), components };
}

function scaled(rows: EntryRows, factors: Float64Array, scales: Float64Array): EntryRows {
  const { words, values } = entryMemory(rows.words.length / 2);
  words.set(rows.words);
  for (let cell = 0; cell < rows.cellCount; cell++) {
    const factor = factors[cell]!;
    for (let at = 2 * rows.pointers[cell]!; at < 2 * rows.pointers[cell + 1]!; at += 2)
      values[at] = rows.values[at]! * factor * scales[words[at + 1]!]!;
  }
  return { ...rows, words, values };
}

interface Projection {
  totals: Float64Array;
  weights: Float64Array;
  origin: Float64Array;
  parents: Int32Array;
}

function placed(rows: EntryRows, { totals, weights, origin, parents }: Projection): Float64Array {
  const { cellCount, pointers, words, values } = rows;
  const width = origin.length;
  const doublets = parents.length / 2;
  const sums = new Float64Array(cellCount * width);
  for (let cell = 0; cell < cellCount; cell++) {
    const to = cell * width;
    for (let at = 2 * pointers[cell]!; at < 2 * pointers[cell + 1]!; at += 2) {
      const count = values[at]!;
      const from = words[at + 1]! * width;
      for (let component = 0; component < width; component++)
        sums[to + component]! += count * weights[from + component]!;
    }
  }
  const coordinates = new Float64Array((cellCount + doublets) * width);
  for (let cell = 0; cell < cellCount; cell++) {
    const factor = factorOf(totals[cell]!);
    for (let component = 0; component < width; component++)
      coordinates[cell * width + component] = origin[component]! + factor * sums[cell * width + component]!;
  }
  for (let doublet = 0; doublet < doublets; doublet++) {
    const one = parents[2 * doublet]!;
    const other = parents[2 * doublet + 1]!;
    const factor = factorOf(totals[one]! + totals[other]!);
    const to = (cellCount + doublet) * width;
    for (let component = 0; component < width; component++)
      coordinates[to + component] =
        origin[component]! + factor * (sums[one * width + component]! + sums[other * width + component]!);
  }
  return coordinates;
}

/** A cell without counts of variable genes stays without. */
function factorOf(total: number): number {
  return total > 0 ? targetSum / total : 1;
}

function marked(rows: EntryRows, marks: { cells?: Uint8Array; genes?: Uint8Array }): EntryRows {
  const places = new Int32Array(rows.geneCount);
  let geneCount = 0;
  for (let gene = 0; gene < places.length; gene++)
    places[gene] = !marks.genes || marks.genes[gene] === 1 ? geneCount++ : -1;
  const pointers = [0];
  let entries = 0;
  for (let cell = 0; cell < rows.cellCount; cell++) {
    if (marks.cells !== undefined && marks.cells[cell] !== 1) continue;
    for (let at = 2 * rows.pointers[cell]!; at < 2 * rows.pointers[cell + 1]!; at += 2)
      if (places[rows.words[at + 1]!]! >= 0) entries++;
    pointers.push(entries);
  }
  const { words, values } = entryMemory(entries);
  let to = 0;
  for (let cell = 0; cell < rows.cellCount; cell++) {
    if (marks.cells !== undefined && marks.cells[cell] !== 1) continue;
    for (let at = 2 * rows.pointers[cell]!; at < 2 * rows.pointers[cell + 1]!; at += 2) {
      const place = places[rows.words[at + 1]!]!;
      if (place < 0) continue;
      values[to] = rows.values[at]!;
      words[to + 1] = place;
      to += 2;
    }
  }
  return { cellCount: pointers.length - 1, geneCount, pointers: Float64Array.from(pointers), words, values };
}

function totalsOf({ cellCount, pointers, values }: EntryRows): Float64Array {
  const totals = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    let total = 0;
    for (let at = 2 * pointers[cell]!; at < 2 * pointers[cell + 1]!; at += 2) total += values[at]!;
    totals[cell] = total;
  }
  return totals;
}

/** Moments of each gene over all cells, zeros included, with counts multiplied by the factor of their cell. */
function momentsOfRows(rows: EntryRows, factors: Float64Array): GeneMoments {
  const { cellCount, geneCount, pointers, words, values } = rows;
  const means = new Float64Array(geneCount);
  const present = new Float64Array(geneCount);
  const variances = new Float64Array(geneCount);
  const each = (take: (gene: number, value: number) => void) => {
    for (let cell = 0; cell < cellCount; cell++) {
      for (let at = 2 * pointers[cell]!; at < 2 * pointers[cell + 1]!; at += 2)
        take(words[at + 1]!, values[at]! * factors[cell]!);
    }
  };
  each((gene, value) => {
    means[gene]! += value;
    present[gene]! += 1;
  });
  for (let gene = 0; gene < geneCount; gene++) means[gene]! /= cellCount;
  each((gene, value) => (variances[gene]! += (value - means[gene]!) ** 2));
  for (let gene = 0; gene < geneCount; gene++) {
    const zeros = (cellCount - present[gene]!) * means[gene]! ** 2;
    variances[gene] = (variances[gene]! + zeros) / (cellCount - 1);
  }
  return { means, variances };
}
