import { type CellxgeneChoices, type CuratedField, curationOf } from '@cellfolio/contract';
import {
  type CategoricalColumn,
  type Column,
  isCategorical,
  labelColumnOf,
  stringAt,
} from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { termCalled, termTable } from '../ontology/index.ts';
import { checkValue } from './allowed-values.ts';

/** A field of all cells: their labels, and the value that each label stands for. */
export interface CuratedColumn {
  /** Column that the labels are from; `null` where all cells have one value. */
  readonly column: string | null;
  readonly labels: readonly string[];
  /** Value of each label; `null` where none is known. */
  readonly values: readonly (string | null)[];
  /** Whether each value was looked up by the name of its label. */
  readonly proposed: readonly boolean[];
  /** Label of each cell; absent where there is one. */
  readonly codes?: Int32Array;
}

/** Values of a field: a curator's, else those of the dataset's column of ids, else terms by names of its labels. */
export async function curatedColumn(
  dataset: Dataset,
  { field, organism }: { field: CuratedField; organism: string },
  choices: CellxgeneChoices,
  signal?: AbortSignal,
): Promise<CuratedColumn> {
  const choice = curationOf(choices, field.name);
  const one = field.fixed?.(organism) ?? (choice && 'all' in choice ? choice.all : undefined);
  if (one !== undefined) return { column: null, labels: [''], values: [one], proposed: [false] };
  const chosen = choice && 'column' in choice ? choice : undefined;
  const columns = dataset.obsColumnNames;
  const column =
    chosen && columns.includes(chosen.column)
      ? chosen.column
      : [field.name, labelColumnOf(field.name), ...(field.labels ?? [])].find(
          (name) => name !== undefined && columns.includes(name),
        );
  if (column === undefined) return { column: null, labels: [''], values: [null], proposed: [false] };
  const content = await dataset.obs(column, signal);
  const { labels, codes } = labelsOf(content, dataset.manifest.cellCount);
  const terms = isCategorical(content) ? content.terms : undefined;
  const termOf = new Map(
    isCategorical(content) ? content.categories.map((one, at) => [one, terms?.[at]]) : [],
  );
  const curated = new Map(chosen?.column === column ? Object.entries(chosen.values) : []);
  const proposal = proposalOf(field, organism);
  const isOwn = column === field.name;
  const values = labels.map(
    (label) => curated.get(label) ?? termOf.get(label) ?? (isOwn ? label || null : proposal(label)),
  );
  return {
    column,
    labels,
    values,
    proposed: labels.map((label, at) => !isOwn && !curated.has(label) && values[at] !== null),
    codes,
  };
}

/** Term with the label's name, of a type also without its “cell”; or the label itself where it is allowed. */
function proposalOf(field: CuratedField, organism: string): (label: string) => string | null {
  return (label) => {
    if (checkValue(field, organism, label).problem === null) return label;
    for (const { ontology } of field.terms?.(organism) ?? []) {
      const terms = termTable.ontology(ontology);
      // Labels of types are often short: “Epithelial”, “NK”.
      const id = (
        termCalled(terms, label) ?? (ontology === 'CL' ? termCalled(terms, `${label} cell`) : undefined)
      )?.id;
      if (id !== undefined && checkValue(field, organism, id).problem === null) return id;
    }
    return null;
  };
}

/** Columns of labels have no more than this. */
const maxLabels = 5000;

/** Labels of cells; those without one have the empty one. */
function labelsOf(column: Column, cells: number): { labels: string[]; codes: Int32Array } {
  const codes = new Int32Array(cells);
  if (isCategorical(column)) {
    // The first place is that of cells without a label.
    const places = new Int32Array(column.categories.length + 1);
    for (let cell = 0; cell < cells; cell++) places[column.codes[cell]! + 1] = 1;
    const labels: string[] = [];
    for (const [at, label] of ['', ...column.categories].entries())
      if (places[at] === 1) places[at] = labels.push(label) - 1;
    for (let cell = 0; cell < cells; cell++) codes[cell] = places[column.codes[cell]! + 1]!;
    return { labels, codes };
  }
  const labels = new Map<string, number>();
  for (let cell = 0; cell < cells; cell++) {
    const label = labels.size > maxLabels ? '' : textAt(column, cell);
    const code = labels.get(label) ?? labels.size;
    labels.set(label, code);
    codes[cell] = code;
  }
  return { labels: [...labels.keys()], codes };
}

function textAt(column: Exclude<Column, CategoricalColumn>, cell: number): string {
  if (column.missing?.[cell] === 1) return '';
  if (column.kind === 'string') return stringAt(column.strings, cell);
  if (column.kind === 'boolean') return column.values[cell] === 1 ? 'True' : 'False';
  const value = column.values[cell]!;
  return Number.isNaN(value) ? '' : String(value);
}
