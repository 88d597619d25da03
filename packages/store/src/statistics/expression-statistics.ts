import type { CategoricalColumn } from '@cellfolio/model';
import { numbers, type PlannedNode, storedNames } from '../encode-column.ts';
import type { MatrixShape } from '../shard-layout.ts';
import { cellStrata, chooseColumns, type ChosenColumn } from './choose-columns.ts';
import type { ColumnSums, StatisticsTarget } from './gene-tally.ts';
import { columnAttribute, geneMeansPath, groupStatisticsPath, statisticsPath } from './group-statistics.ts';

/** With more strata, adding them up by column would cost more than another pass over the entries. */
const maxStrata = 2048;
const entriesPerStratum = 8;
/** Values per chunk of arrays that are also read gene by gene: 256 KiB or less. */
const chunkValues = 1 << 15;

/**
 * Basis of every analysis of whole datasets: the mean of each gene, and its sums in the groups of some columns. The
 * writers of the entries add them up on the way to disk.
 */
export class ExpressionStatistics {
  readonly target: StatisticsTarget;
  readonly #geneCount: number;
  readonly #columns: readonly (Pick<ChosenColumn, 'name' | 'categories'> & ColumnSums)[];

  constructor(shape: MatrixShape, groups: ReadonlyMap<string, CategoricalColumn>) {
    const { geneCount, cellCount, indptr } = shape;
    const valueCount = indptr[geneCount]!;
    this.#geneCount = geneCount;
    const chosen = chooseColumns(groups, { geneCount, valueCount });
    const limit = Math.min(maxStrata, valueCount / Math.max(1, geneCount) / entriesPerStratum);
    const cuts = cellStrata(chosen, { cellCount, maxStrata: limit }).map(
      ({ columns, count, strata, slots }) => ({
        count,
        strata,
        slots,
        columns: columns.map(({ name, categories, slotCount }) => {
          const shared = (width: number) => new SharedArrayBuffer(geneCount * slotCount * width);
          return {
            name,
            categories,
            slotCount,
            sums: new Float64Array(shared(8)),
            squares: new Float64Array(shared(8)),
            expressing: new Int32Array(shared(4)),
          };
        }),
      }),
    );
    this.#columns = cuts.flatMap(({ columns }) => columns);
    const means = new Float64Array(new SharedArrayBuffer(geneCount * 8));
    this.target = { cellCount, indptr, means, cuts };
  }

  nodes(): PlannedNode[] {
    const columns = this.#columns;
    const stored = storedNames(columns.map(({ name }) => name));
    return [
      dict(statisticsPath),
      numbers(geneMeansPath, 'float64', this.target.means),
      dict(groupStatisticsPath),
      ...columns.flatMap(({ name, categories, slotCount, sums, squares, expressing }) => {
        const path = `${groupStatisticsPath}/${stored.get(name)!}`;
        const shape = [this.#geneCount, slotCount];
        return [
          dict(path, { [columnAttribute]: name }),
          numbers(`${path}/categories`, 'int32', categories),
          { ...numbers(`${path}/sums`, 'float64', sums, shape), chunkValues },
          numbers(`${path}/squares`, 'float64', squares, shape),
          { ...numbers(`${path}/expressing`, 'int32', expressing, shape), chunkValues },
        ];
      }),
    ];
  }
}

function dict(path: string, attributes: Readonly<Record<string, string>> = {}): PlannedNode {
  return {
    kind: 'group',
    path,
    attributes: { 'encoding-type': 'dict', 'encoding-version': '0.1.0', ...attributes },
  };
}
