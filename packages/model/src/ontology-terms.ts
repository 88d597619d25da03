import { type CategoricalColumn, type Column, stringAt } from './column.ts';

const suffix = '_ontology_term_id';

/** Such as `CL:0000084`. */
export const termIdPattern = /^[A-Za-z]+:\w+$/;
export const maxTermIdLength = 50;

export function isTermId(text: string): boolean {
  return text.length <= maxTermIdLength && termIdPattern.test(text);
}

/** Column of obs, or key of `uns`, with the ontology ids of a column of labels, as the CELLxGENE schema names it. */
export function termColumnOf(labels: string): string {
  return `${labels}${suffix}`;
}

/** Column of labels that a column of ontology ids belongs to; undefined for any other column. */
export function labelColumnOf(column: string): string | undefined {
  return column.length > suffix.length && column.endsWith(suffix)
    ? column.slice(0, -suffix.length)
    : undefined;
}

/** Columns but those of the ontology ids of another one of them. */
export function withoutTermColumns(columns: readonly string[]): string[] {
  const all = new Set(columns);
  return columns.filter((column) => {
    const labels = labelColumnOf(column);
    return labels === undefined || !all.has(labels);
  });
}

/** Values of a cell that has several, such as diseases: the schema joins them by ` || `. */
export function splitValues(value: string): string[] {
  const parts = value.split(' || ');
  return parts.every((part) => part.trim() !== '') ? parts : [value];
}

export interface LabelTerms {
  readonly label: string;
  /** Ids of the cells with this label, those of most cells first. */
  readonly ids: readonly { readonly id: string; readonly cells: number }[];
}

/**
 * Ontology ids of each label, in the order of the labels. Cells whose label and id both are joined values count for
 * each pair. Without `labels` each id is its own label. Empty if the columns are no text.
 */
export function termsOfLabels(ids: Column, labels?: Column): LabelTerms[] {
  const of = { ids: namesOf(ids), labels: labels && namesOf(labels) };
  if (of.ids === undefined || (labels !== undefined && of.labels === undefined)) return [];
  const { codes } = of.ids;
  const names = of.labels?.names ?? of.ids.names;
  const width = of.ids.names.length;
  const pairs = new Map<number, number>();
  // Most cells have the pair of the cell before: of millions it would be slow to look each up.
  let [before, count] = [-1, 0];
  for (let cell = 0; cell < codes.length; cell++) {
    const id = codes[cell]!;
    const label = of.labels === undefined ? id : of.labels.codes[cell]!;
    const pair = id < 0 || label < 0 ? -1 : label * width + id;
    if (pair !== before) {
      pairs.set(before, (pairs.get(before) ?? 0) + count);
      [before, count] = [pair, 0];
    }
    count++;
  }
  pairs.set(before, (pairs.get(before) ?? 0) + count);
  pairs.delete(-1);
  const cellsOf = new Map<string, Map<string, number>>();
  for (const [pair, cells] of [...pairs].sort(([a], [b]) => a - b)) {
    const idParts = splitValues(of.ids.names[pair % width]!);
    const labelParts = splitValues(names[Math.floor(pair / width)]!);
    const isPaired = idParts.length === labelParts.length;
    idParts.forEach((id, at) => {
      const label = isPaired ? labelParts[at]! : labelParts.join(' || ');
      const counts = cellsOf.get(label) ?? new Map<string, number>();
      cellsOf.set(label, counts.set(id, (counts.get(id) ?? 0) + cells));
    });
  }
  return Array.from(cellsOf, ([label, counts]) => ({
    label,
    ids: Array.from(counts, ([id, cells]) => ({ id, cells })).sort((a, b) => b.cells - a.cells),
  }));
}

function namesOf(
  column: Column,
): { codes: CategoricalColumn['codes']; names: readonly string[] } | undefined {
  if (column.kind === 'categorical') return { codes: column.codes, names: column.categories };
  if (column.kind !== 'string') return undefined;
  const { strings, missing } = column;
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(strings.offsets.length - 1).fill(-1);
  for (let row = 0; row < codes.length; row++) {
    if (missing?.[row] === 1) continue;
    const text = stringAt(strings, row);
    const code = codeOf.get(text) ?? codeOf.size;
    codeOf.set(text, code);
    codes[row] = code;
  }
  return { codes, names: [...codeOf.keys()] };
}
