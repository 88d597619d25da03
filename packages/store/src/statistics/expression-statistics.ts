import type { CategoricalColumn } from '@cellfolio/model';
import type { MatrixShape } from '../matrix-writer.ts';
import { numbers, type PlannedNode, storedNames } from '../encode-column.ts';
import { cellStrata, type CellStrata, chooseColumns, type ChosenColumn } from './choose-columns.ts';
import { EntryTally } from './entry-tally.ts';
import { columnAttribute, geneMeansPath, groupStatisticsPath, statisticsPath } from './group-statistics.ts';

/** Strata beyond which adding them up by column would cost more than another look at the entries. */
const maxStrata = 2048;
const entriesPerStratum = 8;

/** Sums by slot of all genes. */
interface ColumnSums extends ChosenColumn {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly expressing: Int32Array;
}

/**
 * Adds up what every analysis of whole datasets begins with, while the entries of a float32 matrix pass on their way to
 * the disk: the mean of each gene, and its sums in the groups of some columns.
 */
export class ExpressionStatistics {
  readonly #shape: MatrixShape;
  readonly #cuts: readonly CellStrata[];
  readonly #columns: readonly (readonly ColumnSums[])[];
  readonly #tally: EntryTally;
  readonly #means: Float64Array;
  #position = 0;
  #gene = 0;

  constructor(shape: MatrixShape, groups: ReadonlyMap<string, CategoricalColumn>) {
    const { geneCount, cellCount, indptr } = shape;
    const valueCount = indptr[geneCount]!;
    this.#shape = shape;
    this.#means = new Float64Array(geneCount);
    const chosen = chooseColumns(groups, { geneCount, valueCount });
    const limit = Math.min(maxStrata, valueCount / Math.max(1, geneCount) / entriesPerStratum);
    this.#cuts = cellStrata(chosen, { cellCount, maxStrata: limit });
    this.#columns = this.#cuts.map(({ columns }) =>
      columns.map((column) => ({
        ...column,
        sums: new Float64Array(geneCount * column.slotCount),
        squares: new Float64Array(geneCount * column.slotCount),
        expressing: new Int32Array(geneCount * column.slotCount),
      })),
    );
    this.#tally = new EntryTally(this.#cuts, cellCount);
  }

  /** The next entries, of which there are as many as the shape announces in all. */
  add(cells: Int32Array, values: Float32Array): void {
    const { indptr } = this.#shape;
    for (let from = 0; from < cells.length;) {
      while (this.#position >= indptr[this.#gene + 1]!) this.#closeGene();
      const to = Math.min(cells.length, from + indptr[this.#gene + 1]! - this.#position);
      this.#tally.add(cells, values, from, to);
      this.#position += to - from;
      from = to;
    }
  }

  /** What is to be stored, once all entries have come. */
  nodes(): PlannedNode[] {
    const { geneCount } = this.#shape;
    while (this.#gene < geneCount) this.#closeGene();
    const columns = this.#columns.flat();
    const stored = storedNames(columns.map(({ name }) => name));
    return [
      dict(statisticsPath),
      numbers(geneMeansPath, 'float64', this.#means),
      dict(groupStatisticsPath),
      ...columns.flatMap(({ name, categories, slotCount, sums, squares, expressing }) => {
        const path = `${groupStatisticsPath}/${stored.get(name)!}`;
        const shape = [geneCount, slotCount];
        return [
          dict(path, { [columnAttribute]: name }),
          numbers(`${path}/categories`, 'int32', categories),
          numbers(`${path}/sums`, 'float64', sums, shape),
          numbers(`${path}/squares`, 'float64', squares, shape),
          numbers(`${path}/expressing`, 'int32', expressing, shape),
        ];
      }),
    ];
  }

  /** Adds the strata of a gene up by column, and begins with the next one. */
  #closeGene(): void {
    const gene = this.#gene++;
    const { sum, missing } = this.#tally.gene;
    this.#means[gene] = sum / (this.#shape.cellCount - missing);
    for (let cut = 0; cut < this.#cuts.length; cut++) {
      const { count, slots } = this.#cuts[cut]!;
      const columns = this.#columns[cut]!;
      for (let stratum = 0; stratum < count; stratum++) {
        const of = this.#tally.stratum(cut, stratum);
        if (of.expressing === 0) continue;
        for (let i = 0; i < columns.length; i++) {
          const { sums, squares, expressing, slotCount } = columns[i]!;
          const at = gene * slotCount + slots[i]![stratum]!;
          sums[at]! += of.sum;
          squares[at]! += of.squares;
          expressing[at]! += of.expressing;
        }
      }
    }
    this.#tally.clear();
  }
}

function dict(path: string, attributes: Readonly<Record<string, string>> = {}): PlannedNode {
  return {
    kind: 'group',
    path,
    attributes: { 'encoding-type': 'dict', 'encoding-version': '0.1.0', ...attributes },
  };
}
