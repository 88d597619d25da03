import { type Column, type Embedding, packStrings, type Table } from '@cellfolio/model';
import {
  classesOf,
  itemsOf,
  naInteger,
  namesOf,
  type RNumbers,
  type RValue,
  slot,
  stringsOf,
} from './r-value.ts';

/** A data frame, or named list of columns, as a table; unsupported columns are dropped and reported. */
export async function tableOfR(
  names: readonly string[],
  columns: RValue | undefined,
): Promise<{ table: Table & { columns: Map<string, Column> }; left: readonly string[] }> {
  const columnsByName = new Map<string, Column>();
  const left: string[] = [];
  const titles = namesOf(columns);
  for (const [at, value] of itemsOf(columns).entries()) {
    const title = titles[at] ?? '';
    const column = await columnOf(value, names.length);
    // A name with a slash would be a path in HDF5.
    const name = title.replaceAll('/', '_');
    if (column === undefined || name === '' || name === '_index' || columnsByName.has(name)) left.push(title);
    else columnsByName.set(name, column);
  }
  const table = {
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: columnsByName,
  };
  return { table, left };
}

export async function columnOf(value: RValue, rowCount: number): Promise<Column | undefined> {
  const strings = stringsOf(value);
  if (strings !== undefined) {
    if (strings.length !== rowCount) return undefined;
    const missing = missingWhere(strings.map((text) => text === null));
    return { kind: 'string', strings: packStrings(strings.map((text) => text ?? '')), ...missing };
  }
  if (value.type !== 'numbers' || value.numbers.length !== rowCount) return undefined;
  const values = await value.numbers.read(0, rowCount);
  if (value.numbers.kind === 'double') return { kind: 'numeric', dtype: 'float64', values };
  const isMissing = Array.from(values, (one) => one === naInteger);
  if (value.numbers.kind === 'logical')
    return {
      kind: 'boolean',
      values: Uint8Array.from(values, (one) => (one === 1 ? 1 : 0)),
      ...missingWhere(isMissing),
    };
  const levels = stringsOf(slot(value, 'levels'));
  if (levels === undefined) return { kind: 'numeric', dtype: 'int32', values, ...missingWhere(isMissing) };
  // Codes count from 1.
  const codes = Int32Array.from(values, (one) => (one === naInteger ? -1 : one - 1));
  if (codes.some((code) => code < -1 || code >= levels.length)) return undefined;
  return {
    kind: 'categorical',
    codes,
    categories: levels.map((level) => level ?? ''),
    categoryType: 'string',
    ordered: classesOf(value).includes('ordered'),
  };
}

function missingWhere(isMissing: readonly boolean[]): { missing?: Uint8Array } {
  return isMissing.includes(true) ? { missing: Uint8Array.from(isMissing, Number) } : {};
}

/** Coordinates, stored column-major in R; undefined if they are not of these cells. */
export async function embeddingOfR(
  name: string,
  value: RValue,
  cellCount: number,
): Promise<Embedding | undefined> {
  if (value.type !== 'numbers') return undefined;
  const { numbers } = value;
  const dim = slot(value, 'dim');
  const [rows, dimensions] =
    dim?.type === 'numbers' && dim.numbers.length === 2 ? await dim.numbers.read(0, 2) : [];
  if (
    rows !== cellCount ||
    dimensions === undefined ||
    dimensions < 1 ||
    numbers.length !== rows * dimensions
  )
    return undefined;
  const values = new Float64Array(numbers.length);
  for (let column = 0; column < dimensions; column++) {
    const read = await doubles(numbers, column * rows, rows);
    for (let row = 0; row < rows; row++) values[row * dimensions + column] = read[row]!;
  }
  return { name, dimensions, values };
}

export async function doubles(numbers: RNumbers, start: number, count: number): Promise<Float64Array> {
  const values = await numbers.read(start, count);
  if (values instanceof Float64Array) return values;
  return Float64Array.from(values, (one) => (one === naInteger ? Number.NaN : one));
}
