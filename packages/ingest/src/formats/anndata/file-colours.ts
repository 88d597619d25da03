import { type Column, isCategorical, type Table, unpackStrings } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';

/** `#rrggbb`; scanpy writes an opacity too. */
const hexColour = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i;
const maxColours = 10_000;

/** The table with the colours of its categories that scanpy keeps in `uns/<column>_colors`. */
export function withFileColours(file: Hdf5File, table: Table): Table {
  if (file.kind('uns') !== 'group') return table;
  const columns = new Map<string, Column>();
  for (const [name, column] of table.columns) {
    const colours = isCategorical(column) ? coloursOf(file, name, column.categories.length) : undefined;
    columns.set(name, colours && isCategorical(column) ? { ...column, colours } : column);
  }
  return { ...table, columns };
}

function coloursOf(file: Hdf5File, column: string, count: number): string[] | undefined {
  if (column.includes('/')) return undefined;
  try {
    return colourTexts(file, `uns/${column}_colors`, count);
  } catch (error) {
    // What is damaged is named where all of uns is read.
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

function colourTexts(file: Hdf5File, path: string, count: number): string[] | undefined {
  if (file.kind(path) !== 'dataset') return undefined;
  const info = file.dataset(path);
  const [length = 0] = info.shape;
  // scanpy keeps the colours of categories that have gone behind the others.
  if (info.type.kind !== 'string' || info.shape.length !== 1 || length < count || length > maxColours)
    return undefined;
  const colours = unpackStrings(file.strings(info)).slice(0, count);
  if (!colours.every((colour) => hexColour.test(colour))) return undefined;
  return colours.map((colour) => colour.slice(0, 7).toLowerCase());
}
