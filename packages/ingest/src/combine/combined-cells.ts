import { packStrings, stringAt, type CategoricalColumn, type Column, type Table } from '@cellfolio/model';
import { toCategorical } from '../roles/to-categorical.ts';

interface CellsOfSample {
  sample: {
    name: string;
    values: ReadonlyMap<string, string>;
  };
  cells: number;
  obs: Table;
}

/** Cluster columns are not combined: cluster 0 of one file is not cluster 0 of another. */
const clusterName = /cluster|leiden|louvain|phenograph/i;

/**
 * Table of all cells, named after their samples; `carried` and `left` are the columns of the files that were kept and
 * dropped.
 */
export function combinedCells(surveyed: readonly CellsOfSample[]): {
  table: Table;
  carried: string[];
  left: string[];
} {
  const columns = new Map<string, Column>();
  columns.set(
    'sample',
    byCell(surveyed, ({ sample }) => sample.name),
  );
  for (const name of new Set(surveyed.flatMap(({ sample }) => [...sample.values.keys()])))
    columns.set(
      name,
      byCell(surveyed, ({ sample }) => sample.values.get(name) ?? ''),
    );
  const own = [...new Set(surveyed.flatMap(({ obs }) => [...obs.columns.keys()]))].filter(
    (name) => !columns.has(name),
  );
  const carried: string[] = [];
  for (const name of own) {
    const joinedColumn = clusterName.test(name) ? undefined : joined(surveyed, name);
    if (joinedColumn === undefined) continue;
    columns.set(name, joinedColumn);
    carried.push(name);
  }
  const names: string[] = [];
  for (const { sample, obs } of surveyed)
    for (let row = 0; row < obs.rowCount; row++) names.push(`${sample.name}_${stringAt(obs.index, row)}`);
  return {
    table: { rowCount: names.length, indexName: '_index', index: packStrings(names), columns },
    carried,
    left: own.filter((name) => !carried.includes(name)),
  };
}

function byCell(
  surveyed: readonly CellsOfSample[],
  valueOf: (of: CellsOfSample) => string,
): CategoricalColumn {
  const values = surveyed.map(valueOf);
  const categories = [...new Set(values.filter((value) => value !== ''))];
  const codes = new Int32Array(surveyed.reduce((sum, { cells }) => sum + cells, 0));
  let from = 0;
  for (const [file, { cells }] of surveyed.entries()) {
    codes.fill(categories.indexOf(values[file]!), from, from + cells);
    from += cells;
  }
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

/** A text column that some files have; undefined if its values are numbers, or too many for groups. */
function joined(surveyed: readonly CellsOfSample[], name: string): CategoricalColumn | undefined {
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(surveyed.reduce((sum, { cells }) => sum + cells, 0)).fill(-1);
  let from = 0;
  for (const { obs, cells } of surveyed) {
    const column = obs.columns.get(name);
    const categorical = column && toCategorical(column);
    if (column !== undefined && categorical === undefined) return undefined;
    if (categorical !== undefined) {
      const places = categorical.categories.map((category) => {
        if (!codeOf.has(category)) codeOf.set(category, codeOf.size);
        return codeOf.get(category)!;
      });
      for (let cell = 0; cell < cells; cell++) codes[from + cell] = places[categorical.codes[cell]!] ?? -1;
    }
    from += cells;
  }
  const categories = [...codeOf.keys()];
  if (categories.every((category) => Number.isFinite(Number(category)))) return undefined;
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
