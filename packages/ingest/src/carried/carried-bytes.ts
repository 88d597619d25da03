import type { PackedStrings } from '@cellfolio/model';
import { bytesOfType } from '../write-h5ad/h5-messages.ts';
import { stringHeaps, stringReferences } from '../write-h5ad/string-heap.ts';
import type { CarriedArray, CarriedTexts } from './carried-content.ts';

/** The bytes [from, to) of what a dataset carries along. */
export type ReadBytes = (from: number, to: number) => Promise<Uint8Array>;

/** A range of rows of an array of the export: some, or consecutive ones, of the carried array. */
export interface ArrayRequest {
  of: 'values' | 'references' | 'heaps';
  array: CarriedArray;
  rows: RowChoice;
  /** Columns of an array of numbers; all by default. */
  columns?: Int32Array | undefined;
  /** For references. */
  heapAddresses?: Float64Array | undefined;
}

export type RowChoice = Int32Array | { from: number; to: number };

/** Entries of rows of a CSR matrix, or of columns of a CSC matrix. */
export interface EntryRequest {
  of: 'indices' | 'data' | 'counts';
  indices: CarriedArray;
  data: CarriedArray;
  /** First and last entry of each chosen row, as they are stored. */
  starts: Float64Array;
  ends: Float64Array;
  /** New index of each stored one, -1 for what is not chosen; all stay by default. */
  places?: Int32Array | undefined;
}

export function rowCount(rows: RowChoice): number {
  return rows instanceof Int32Array ? rows.length : rows.to - rows.from;
}

export function elementsOfRow({ shape = [] }: CarriedArray): number {
  return shape.slice(1).reduce((product, length) => product * length, 1);
}

export async function arrayBytes(request: ArrayRequest, read: ReadBytes): Promise<Uint8Array> {
  const { of, array, rows, heapAddresses = new Float64Array(0) } = request;
  if (of === 'values') return rowBytes(request, read);
  const texts = await chosenTexts(array, rows, read);
  if (of === 'heaps') return stringHeaps(texts);
  const references = stringReferences(texts, heapAddresses);
  if (array.type === 'string') return references;
  const records = await rowBytes(request, read);
  const width = bytesOfType(array.type);
  const { slots } = array.texts!;
  const size = references.length / (texts.offsets.length - 1);
  for (let record = 0, text = 0; record * width < records.length; record++) {
    for (const slot of slots) {
      records.set(references.subarray(text * size, (text + 1) * size), record * width + slot);
      text++;
    }
  }
  return records;
}

async function rowBytes({ array, rows, columns }: ArrayRequest, read: ReadBytes): Promise<Uint8Array> {
  const element = bytesOfType(array.type);
  const width = elementsOfRow(array) * element;
  const [from, to] = span(rows);
  const all = await read(array.at + from * width, array.at + to * width);
  if (!(rows instanceof Int32Array) && !columns) return all;
  const inner = columns ? element * elementsOfColumn(array) : width;
  const count = rowCount(rows);
  const out = new Uint8Array(count * (columns ? columns.length * inner : width));
  for (let at = 0, end = 0; at < count; at++) {
    const start = ((rows instanceof Int32Array ? rows[at]! : rows.from + at) - from) * width;
    if (!columns) {
      out.set(all.subarray(start, start + width), end);
      end += width;
      continue;
    }
    for (const column of columns) {
      out.set(all.subarray(start + column * inner, start + (column + 1) * inner), end);
      end += inner;
    }
  }
  return out;
}

function elementsOfColumn({ shape = [] }: CarriedArray): number {
  return shape.slice(2).reduce((product, length) => product * length, 1);
}

function span(rows: RowChoice): [from: number, to: number] {
  if (!(rows instanceof Int32Array)) return [rows.from, rows.to];
  return rows.length === 0 ? [0, 0] : [rows[0]!, rows.at(-1)! + 1];
}

/** Texts of the rows, in order. */
async function chosenTexts(array: CarriedArray, rows: RowChoice, read: ReadBytes): Promise<PackedStrings> {
  const texts = array.texts!;
  const perRow = elementsOfRow(array) * texts.slots.length;
  const [from, to] = span(rows);
  const stored = await offsetsOf(texts, from * perRow, to * perRow, read);
  const start = texts.at + (texts.count + 1) * Uint32Array.BYTES_PER_ELEMENT;
  const first = stored[0]!;
  const bytes = await read(start + first, start + stored.at(-1)!);
  const offsets = new Uint32Array(rowCount(rows) * perRow + 1);
  if (!(rows instanceof Int32Array)) {
    for (let at = 0; at < offsets.length; at++) offsets[at] = stored[at]! - first;
    return { bytes, offsets };
  }
  const chosen = new Uint8Array(bytes.length);
  let text = 0;
  for (const row of rows) {
    for (let at = (row - from) * perRow; at < (row - from + 1) * perRow; at++) {
      chosen.set(bytes.subarray(stored[at]! - first, stored[at + 1]! - first), offsets[text]);
      offsets[text + 1] = offsets[text]! + stored[at + 1]! - stored[at]!;
      text++;
    }
  }
  return { bytes: chosen.subarray(0, offsets[text]), offsets };
}

/** Offsets of the texts [from, to), and the end of the last. */
async function offsetsOf(
  { at }: CarriedTexts,
  from: number,
  to: number,
  read: ReadBytes,
): Promise<Uint32Array> {
  const size = Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array((await read(at + from * size, at + (to + 1) * size)).slice().buffer);
}

/** Lengths of the texts of all chosen rows as offsets: what their heaps need. */
export async function textOffsets(
  array: CarriedArray,
  rows: Int32Array | undefined,
  read: ReadBytes,
): Promise<Uint32Array> {
  const texts = array.texts!;
  const stored = await offsetsOf(texts, 0, texts.count, read);
  if (rows === undefined) return stored;
  const perRow = elementsOfRow(array) * texts.slots.length;
  const offsets = new Uint32Array(rows.length * perRow + 1);
  let text = 0;
  for (const row of rows) {
    for (let at = row * perRow; at < (row + 1) * perRow; at++, text++)
      offsets[text + 1] = offsets[text]! + stored[at + 1]! - stored[at]!;
  }
  return offsets;
}

/** Entries in the order of their rows; `counts`: of each row, as float64. */
export async function entryBytes(request: EntryRequest, read: ReadBytes): Promise<Uint8Array> {
  const { of, indices, data, starts, ends, places } = request;
  const counts = new Float64Array(starts.length);
  const [from, to] = starts.length === 0 ? [0, 0] : [starts[0]!, ends.at(-1)!];
  const columns = places && (await numbersOf(indices, from, to, read));
  const array = of === 'data' ? data : indices;
  const width = bytesOfType(array.type);
  const all =
    of === 'counts'
      ? new Uint8Array(0)
      : (await read(array.at + from * width, array.at + to * width)).slice();
  const wide = width === BigInt64Array.BYTES_PER_ELEMENT;
  const renumbered =
    of === 'indices' && places
      ? wide
        ? new BigInt64Array(all.buffer)
        : new Int32Array(all.buffer)
      : undefined;
  let end = 0;
  for (let row = 0; row < starts.length; row++) {
    for (let entry = starts[row]! - from; entry < ends[row]! - from; entry++) {
      const place = places ? places[columns![entry]!]! : 0;
      if (place < 0) continue;
      counts[row]!++;
      if (of === 'counts') continue;
      if (renumbered instanceof BigInt64Array) renumbered[end] = BigInt(place);
      else if (renumbered) renumbered[end] = place;
      else if (end !== entry) all.copyWithin(end * width, entry * width, (entry + 1) * width);
      end++;
    }
  }
  if (of === 'counts') return new Uint8Array(counts.buffer);
  return all.subarray(0, end * width);
}

/** Integers of 32 or 64 bits; positions and indices are below 2^53. */
export async function numbersOf(
  { at, type }: CarriedArray,
  from: number,
  to: number,
  read: ReadBytes,
): Promise<ArrayLike<number>> {
  const width = bytesOfType(type);
  const { buffer } = (await read(at + from * width, at + to * width)).slice();
  if (width === Int32Array.BYTES_PER_ELEMENT) return new Int32Array(buffer);
  return Float64Array.from(new BigInt64Array(buffer), Number);
}
