import { type NumberColumn, numbersOf, type TableColumns, TextCollector, textsOf } from './table-columns.ts';

export interface JoinedSide {
  table: number;
  /** Value of the column `group` whose genes are taken; absent if the table has no groups. */
  group: string | undefined;
  /**
   * A gene passes with an adjusted p-value below `adjustedP` and a fold change, in either direction, of at least the
   * other threshold.
   */
  adjustedP: number;
  foldChange: number;
}

export const passLabels = {
  both: 'both',
  first: 'first only',
  second: 'second only',
  none: 'neither',
} as const;

const compared = [
  { name: 'logfoldchanges', label: 'Log2 fold change', kind: 'number' },
  { name: 'pvals_adj', label: 'Adjusted p-value', kind: 'p-value' },
] as const;

/**
 * Genes of either table: those of the first in its order, then the remaining ones of the second, with fold changes and
 * adjusted p-values of both (NaN if a table lacks the gene) and the tables in which it passes. If a table has a gene
 * twice, the first row is used.
 */
export function joinedTable(
  [first, second]: readonly [TableColumns, TableColumns],
  sides: readonly [JoinedSide, JoinedSide],
): TableColumns {
  const rows = [rowsOfGenes(first, sides[0].group), rowsOfGenes(second, sides[1].group)] as const;
  const genes = [...new Set([...rows[0].keys(), ...rows[1].keys()])];
  const names = new TextCollector();
  for (const gene of genes) names.add(gene);
  const columnOf = (side: 0 | 1, heading: string): Float64Array<ArrayBuffer> => {
    const numbers = numbersOf((side === 0 ? first : second).columns, heading);
    return Float64Array.from(genes, (gene) => numbers?.[rows[side].get(gene) ?? -1] ?? NaN);
  };
  const numbers = compared.flatMap(({ name, label, kind }) =>
    ([0, 1] as const).map((side): NumberColumn => {
      const of = `${side + 1}`;
      return { name: `${name}_${of}`, label: `${label}, ${of}`, kind, numbers: columnOf(side, name) };
    }),
  );
  const [change1, change2, p1, p2] = numbers.map((column) => column.numbers);
  const where = new TextCollector();
  for (let gene = 0; gene < genes.length; gene++) {
    const inFirst = passes(p1![gene]!, change1![gene]!, sides[0]);
    const inSecond = passes(p2![gene]!, change2![gene]!, sides[1]);
    where.add(
      inFirst
        ? inSecond
          ? passLabels.both
          : passLabels.first
        : inSecond
          ? passLabels.second
          : passLabels.none,
    );
  }
  return {
    rowCount: genes.length,
    notes: [],
    columns: [
      {
        name: 'passes_in',
        label: 'Passes in',
        kind: 'text',
        codes: where.codes,
        categories: where.categories,
      },
      { name: 'names', label: 'Gene', kind: 'text', codes: names.codes, categories: names.categories },
      ...numbers,
    ],
  };
}

function passes(p: number, change: number, { adjustedP, foldChange }: JoinedSide): boolean {
  return p < adjustedP && Math.abs(change) >= foldChange;
}

function rowsOfGenes({ columns, rowCount }: TableColumns, group: string | undefined): Map<string, number> {
  const [names, groups] = [textsOf(columns, 'names'), textsOf(columns, 'group')];
  const code = group === undefined ? -1 : (groups?.categories.indexOf(group) ?? -1);
  const rows = new Map<string, number>();
  if (names === undefined) return rows;
  for (let row = 0; row < rowCount; row++) {
    if (group !== undefined && groups !== undefined && groups.codes[row] !== code) continue;
    const gene = names.categories[names.codes[row]!]!;
    if (!rows.has(gene)) rows.set(gene, row);
  }
  return rows;
}
