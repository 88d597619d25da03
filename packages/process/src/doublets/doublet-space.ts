import { entryMemory, type EntryRows } from '../components/entry-rows.ts';
import { principalComponents } from '../components/principal-components.ts';
import { medianOf } from '../quality/plan-quality.ts';
import { marked, momentsOfRows, totalsOf } from './sparse-rows.ts';
import { genesWithinCutoffs } from '../variable-genes.ts';

/** As filtered before scanpy's `pp.scrublet`. */
const minCellsOfGene = 3;
const minGenesOfCell = 3;
const maxComponents = 30;
const targetSum = 1e6;

/** Cells of one sample that can be distinguished from doublets, by the genes that vary between them. */
export interface VariableCells {
  readonly cells: Int32Array;
  readonly rows: EntryRows;
}

/**
 * Genes in at least three cells, cells with at least three of them, and the variable ones of those genes: by the
 * cutoffs of scanpy's `highly_variable_genes` on counts normalised to the median of the cells.
 */
export function variableCells(sample: EntryRows): VariableCells {
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

export interface DoubletSpace {
  /** `components` for each cell, then for each doublet. */
  readonly coordinates: Float64Array;
  readonly components: number;
}

/**
 * Principal components of the cells, with counts normalised to a million and each gene scaled to mean 0 and standard
 * deviation 1; doublets are put into the same space by the same means and deviations. A doublet is the sum of its
 * parents' counts, and a projection is linear: it is computed from those of the parents, so that no doublet is ever
 * held as counts. `parents`: two indices per doublet.
 */
export async function doubletSpace(
  rows: EntryRows,
  parents: Int32Array,
  threads: number,
): Promise<DoubletSpace> {
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
  readonly totals: Float64Array;
  readonly weights: Float64Array;
  readonly origin: Float64Array;
  readonly parents: Int32Array;
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
