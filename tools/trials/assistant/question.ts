import { cellTypes, genes, type Labels, type Study, type StudyName, treatmentFolds } from './studies.ts';

export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A number of an answer, or a name, and the reference to it in the result of the first step. */
interface Truth<Value> {
  readonly at: string;
  readonly value: (study: Study) => Value;
}
export interface NumberTruth extends Truth<number> {
  readonly kind: 'number';
  /** Greatest difference from `value`, besides that of three digits: 0 for counts. */
  readonly tolerance: number;
}
export interface NameTruth extends Truth<string> {
  readonly kind: 'name';
  /** Names that an answer could give. */
  readonly among: readonly string[];
}

/** Reasons why a question has no answer. Code knows the first three by the data. */
export type Reason = 'gene' | 'group' | 'column' | 'modality' | 'other data' | 'cause' | 'no analysis';

interface Asked {
  readonly question: string;
  readonly dataset: StudyName;
  /** Calls that answer it; of an unanswerable question those of a careless planner. */
  readonly steps: readonly ToolCall[];
}
export interface Answerable extends Asked {
  readonly truth: NumberTruth | NameTruth;
}
export interface Unanswerable extends Asked {
  readonly cannot: Reason;
}
export interface Trap extends Asked {
  /** Code of the caution that the answer has to have. */
  readonly caution: string;
  /** Values of an argument of the first step that keep out of the trap. */
  readonly avoidedBy?: Readonly<Record<string, readonly string[]>>;
  /** The same question without the trap: other data, or other calls. */
  readonly without: Partial<Pick<Asked, 'dataset' | 'steps'>>;
}
export type Question = Answerable | Unanswerable | Trap;

export const isAnswerable = (one: Question): one is Answerable => 'truth' in one;
export const isUnanswerable = (one: Question): one is Unanswerable => 'cannot' in one;
export const isTrap = (one: Question): one is Trap => 'caution' in one;

type Some = Partial<Record<keyof Labels, string>>;

/** Cells with these labels. */
export function cellsIn({ cells, labels }: Study, some: Some): number[] {
  const conditions = Object.entries(some) as [keyof Labels, string][];
  return Array.from({ length: cells }, (_, cell) => cell).filter((cell) =>
    conditions.every(([column, label]) => labels[column][cell] === label),
  );
}

/** Expression of a gene in each cell. */
function expressionOf({ values, cells }: Study, gene: string): Float64Array {
  const all = new Float64Array(cells);
  const row = genes.indexOf(gene);
  for (let at = values.starts[row]!; at < values.starts[row + 1]!; at++)
    all[values.cells[at]!] = values.values[at]!;
  return all;
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const count = (at: string, value: (study: Study) => number): NumberTruth => ({
  kind: 'number',
  at,
  tolerance: 0,
  value,
});
const measured = (at: string, tolerance: number, value: (study: Study) => number): NumberTruth => ({
  kind: 'number',
  at,
  tolerance,
  value,
});

/** Number of cells with these labels. */
export const cellCount = (at: string, some: Some = {}) => count(at, (study) => cellsIn(study, some).length);

export const fixedCount = (at: string, value: number) => count(at, () => value);

/** Cells of a label in a description. */
export function described(column: keyof Labels, name: string): NumberTruth {
  return cellCount(`/groups/column=${column}/groups/name=${name}/cells`, { [column]: name });
}

/** Share of the cells with these labels, or of the others, that express a gene. */
export function expressing(at: string, gene: string, some: Some, areOthers = false): NumberTruth {
  return measured(at, 0.001, (study) => {
    const inside = new Set(cellsIn(study, some));
    const values = expressionOf(study, gene);
    return mean(
      Array.from(values)
        .filter((_, cell) => inside.has(cell) !== areOthers)
        .map((value) => Number(value > 0)),
    );
  });
}

/** Log2 fold change of means of cells, with a pseudocount of 1. */
export function foldOfCells(at: string, gene: string, some: Some): NumberTruth {
  return measured(at, 0.005, (study) => {
    const inside = new Set(cellsIn(study, some));
    const values = Array.from(expressionOf(study, gene));
    const level = (isIn: boolean) =>
      Math.expm1(mean(values.filter((_, cell) => inside.has(cell) === isIn))) + 1;
    return Math.log2(level(true) / level(false));
  });
}

/**
 * Log2 fold change that treatment was simulated with. Tests of sums estimate it from eight donors: with their spread of
 * 0.1 and the counts of some hundred cells, its standard error is near 0.15 over all cells.
 */
export function plantedFold(gene: keyof typeof treatmentFolds, tolerance = 0.45): NumberTruth {
  return measured(`/rows/names=${gene}/logfoldchanges`, tolerance, () => Math.log2(treatmentFolds[gene]));
}

/** Mean over the donors of a condition of the share of a type. */
export function meanShare(at: string, type: string, condition: string): NumberTruth {
  return measured(at, 0.001, (study) => shareIn(study, type, condition));
}

function shareIn(study: Study, type: string, condition: string): number {
  const donors = new Set(cellsIn(study, { condition }).map((cell) => study.labels.donor[cell]!));
  return mean(
    Array.from(
      donors,
      (donor) => cellsIn(study, { donor, cell_type: type }).length / cellsIn(study, { donor }).length,
    ),
  );
}

export const shareRatio = (at: string, type: string): NumberTruth =>
  measured(at, 0.01, (study) => shareIn(study, type, 'treated') / shareIn(study, type, 'control'));

export const greatest = (at: string, column: 'activation' | 'age'): NumberTruth =>
  measured(at, 0.01, (study) => study[column].reduce((maximum, one) => Math.max(maximum, one), 0));

/** The type with the largest or the smallest number of cells. */
export function typeBySize(at: string, which: 'largest' | 'smallest'): NameTruth {
  const sized = (study: Study) =>
    cellTypes.toSorted(
      (one, other) => cellsIn(study, { cell_type: one }).length - cellsIn(study, { cell_type: other }).length,
    );
  return {
    kind: 'name',
    at,
    among: cellTypes,
    value: (study) => sized(study).at(which === 'largest' ? -1 : 0)!,
  };
}

/** A gene, by how genes were simulated. */
export const plantedGene = (at: string, gene: string): NameTruth => ({
  kind: 'name',
  at,
  among: genes,
  value: () => gene,
});
export const plantedType = (at: string, type: (typeof cellTypes)[number]): NameTruth => ({
  kind: 'name',
  at,
  among: cellTypes,
  value: () => type,
});
