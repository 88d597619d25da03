import { sharedCopy } from '@cellfolio/model';

/**
 * A linear classifier of cells as trained by CellTypist (Domínguez Conde et al. 2022): genes are scaled, each type has
 * a coefficient per gene, and the probability of a type is the logistic function of their sum.
 */
export interface LogisticModel {
  readonly name: string;
  /** Source and licence; empty if the file has none. */
  readonly source: string;
  readonly licence: string;
  readonly species: string;
  readonly types: readonly string[];
  readonly genes: readonly string[];
  /** Per gene, in log-normalised values: subtracted from a cell's value before dividing by the scale. */
  readonly means: Float64Array;
  readonly scales: Float64Array;
  /** Gene-major, one value per type; in shared memory, like the other arrays. */
  readonly coefficients: Float64Array;
  readonly intercepts: Float64Array;
}

export class LogisticModelError extends Error {
  readonly tag = 'logistic-model';

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'LogisticModelError';
  }
}

export const logisticModelFormat = 'cellfolio-logistic-model';
/** Maximum number of types of a model: CellTypist models have about a hundred types and six thousand genes. */
const maxTypes = 2000;
const maxGenes = 100_000;

/**
 * Reads a model: JSON with `format`, `version` 1, `name`, `types`, `genes`, `means` and `scales` by gene, `intercepts`
 * by type, `coefficients` as a list by gene for each type, and optionally `source`, `licence` and `species`. Throws
 * LogisticModelError, which names the field.
 */
export function readLogisticModel(text: string): LogisticModel {
  const file = objectOf(text);
  if (file.get('format') !== logisticModelFormat || file.get('version') !== 1) {
    throw new LogisticModelError(
      `format and version are not "${logisticModelFormat}" and 1. Convert the model with tools/celltypist-model.py.`,
    );
  }
  const types = names(file.get('types'), 'types', maxTypes);
  const genes = names(file.get('genes'), 'genes', maxGenes);
  if (types.length < 2) throw new LogisticModelError('types: a model needs at least two types.');
  const scales = numbers(file.get('scales'), 'scales', genes.length);
  const zero = scales.findIndex((scale) => !(scale > 0));
  if (zero >= 0) throw new LogisticModelError(`scales: that of ${genes[zero]} is not above 0.`);
  const rows: unknown = file.get('coefficients');
  if (!Array.isArray(rows) || rows.length !== types.length) {
    throw new LogisticModelError(`coefficients: has to be ${types.length} lists, one for each type.`);
  }
  const coefficients = new Float64Array(new SharedArrayBuffer(8 * types.length * genes.length));
  rows.forEach((row: unknown, type) => {
    const ofType = numbers(row, `coefficients of ${types[type]}`, genes.length);
    for (let gene = 0; gene < genes.length; gene++) coefficients[gene * types.length + type] = ofType[gene]!;
  });
  return {
    name: textOf(file.get('name')) || 'Unnamed model',
    source: textOf(file.get('source')),
    licence: textOf(file.get('licence')),
    species: textOf(file.get('species')),
    types,
    genes,
    means: sharedCopy(numbers(file.get('means'), 'means', genes.length)),
    scales: sharedCopy(scales),
    coefficients,
    intercepts: sharedCopy(numbers(file.get('intercepts'), 'intercepts', types.length)),
  };
}

function objectOf(text: string): ReadonlyMap<string, unknown> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (cause) {
    throw new LogisticModelError('It is not JSON.', { cause });
  }
  if (typeof read !== 'object' || read === null) throw new LogisticModelError('It is not a JSON object.');
  return new Map(Object.entries(read));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 300) : '';
}

function names(value: unknown, field: string, maxCount: number): string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '');
  if (!isList) throw new LogisticModelError(`${field}: has to be a list of names.`);
  const list = value as string[];
  if (list.length > maxCount)
    throw new LogisticModelError(`${field}: ${list.length} are more than ${maxCount}.`);
  if (new Set(list).size !== list.length) throw new LogisticModelError(`${field}: a name stands twice.`);
  return list;
}

function numbers(value: unknown, field: string, count: number): Float64Array {
  const isList = Array.isArray(value) && value.length === count;
  if (!isList || !value.every((one) => typeof one === 'number' && Number.isFinite(one))) {
    throw new LogisticModelError(`${field}: has to be ${count} finite numbers.`);
  }
  return Float64Array.from(value as number[]);
}
