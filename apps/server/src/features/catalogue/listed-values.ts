import {
  type CategoricalColumn,
  type CellMask,
  isCategorical,
  type Caution,
  countText,
  maxCategories,
  maxFields,
  maxGeneNameCharacters,
  maxListedCharacters,
} from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** Categories that occur in the column, or in its masked cells, with their cell counts, in the column's order. */
export function categoryCounts(column: CategoricalColumn, mask?: CellMask): Map<string, number> {
  const counts = new Float64Array(column.categories.length);
  const { codes } = column;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= 0 && (!mask || mask.bits[i] === 1)) counts[code]!++;
  }
  const present = new Map<string, number>();
  for (const [code, name] of column.categories.entries()) {
    const cells = counts[code] ?? 0;
    if (cells > 0) present.set(name, cells);
  }
  return present;
}

export function unlabelledCells(counts: ReadonlyMap<string, number>, cellCount: number): number {
  let labelled = 0;
  for (const cells of counts.values()) labelled += cells;
  return cellCount - labelled;
}

/** Number of cells per category of an obs column; empty when the dataset has no such column. */
export async function countsOf(dataset: Dataset, name: string | undefined): Promise<Map<string, number>> {
  if (name === undefined) return new Map();
  const column = await dataset.obs(name);
  return isCategorical(column) ? categoryCounts(column) : new Map();
}

/** Display name of each metadata field, mapped to its values with their cell counts. */
export async function metadataCounts(
  dataset: Dataset,
  metadata: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const fields = await Promise.all(
    Object.entries(metadata).map(async ([shown, name]): Promise<[string, Map<string, number>]> => [
      shown,
      await countsOf(dataset, name),
    ]),
  );
  return new Map(fields);
}

/**
 * The categories that fit into a response: all of them, or those with the most cells, in the order of the column.
 * Imports accept no column beyond this as groups; datasets from earlier imports may have them.
 */
export function listedCategories(counts: ReadonlyMap<string, number>) {
  let characters = 0;
  for (const name of counts.keys()) characters += name.length;
  if (counts.size <= maxCategories && characters <= maxListedCharacters) return { counts, leftOut: 0 };
  const shownNames = new Set<string>();
  let left = maxListedCharacters;
  for (const [name] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (shownNames.size === maxCategories || name.length > left) break;
    shownNames.add(name);
    left -= name.length;
  }
  return {
    counts: new Map([...counts].filter(([name]) => shownNames.has(name))),
    leftOut: counts.size - shownNames.size,
  };
}

/** The first metadata fields that fit into a response together with their values. */
export function listedFields(fields: ReadonlyMap<string, ReadonlyMap<string, number>>): {
  fields: Record<string, string[]>;
  /** Number of cells per value, in the order of the values. */
  counts: Record<string, number[]>;
  leftOut: readonly string[];
} {
  let left = maxListedCharacters;
  const listed = new Map<string, ReadonlyMap<string, number>>();
  const leftOut: string[] = [];
  for (const [name, values] of fields) {
    let characters = name.length;
    for (const value of values.keys()) characters += value.length;
    const fits = characters <= left && values.size <= maxCategories && listed.size < maxFields;
    if (!fits) leftOut.push(name);
    else {
      listed.set(name, values);
      left -= characters;
    }
  }
  const entries = [...listed];
  return {
    fields: Object.fromEntries(entries.map(([name, values]) => [name, [...values.keys()]])),
    counts: Object.fromEntries(entries.map(([name, values]) => [name, [...values.values()]])),
    leftOut,
  };
}

export function listedGenes(symbols: readonly string[]): string[] {
  let left = maxGeneNameCharacters;
  const end = symbols.findIndex(({ length }) => (left -= length) < 0);
  return end < 0 ? [...symbols] : symbols.slice(0, end);
}

/** The first names of a preview, and how many more there are. */
export function previewed(names: readonly string[], limits: { names: number; characters: number }): string[] {
  let left = limits.characters;
  const past = names.findIndex(({ length }, place) => place >= limits.names || (left -= length) < 0);
  if (past < 0) return [...names];
  return [...names.slice(0, past), `… and ${countText(names.length - past)} more`];
}

export function leftOutCautions({
  cellTypes,
  clusters,
  fields,
  genes,
}: {
  cellTypes: number;
  clusters: number;
  fields: number;
  genes: number;
}): Caution[] {
  const parts = [
    { code: 'cell-types-left-out', count: cellTypes, words: 'cell types of fewest cells' },
    { code: 'clusters-left-out', count: clusters, words: 'clusters of fewest cells' },
    { code: 'metadata-left-out', count: fields, words: 'metadata fields' },
    { code: 'genes-left-out', count: genes, words: 'genes' },
  ];
  return parts
    .filter(({ count }) => count > 0)
    .map(({ code, count, words }) => ({
      code,
      message: `${countText(count)} ${words} are not listed, as the names of all would be too much for one page. Figures and tests have them.`,
      numbers: { leftOut: count },
    }));
}
