import type { AttributeValue, H5Array, H5Node } from '../write-h5ad/lay-out-file.ts';
import { bytesOfType } from '../write-h5ad/h5-messages.ts';
import { heapSizes } from '../write-h5ad/string-heap.ts';
import { type EntryRequest, entryBytes, numbersOf, type ReadBytes, textOffsets } from './carried-bytes.ts';
import {
  type CarriedArray,
  type CarriedAttributes,
  type CarriedGroup,
  type CarriedNode,
  encodingOf,
  isCarriedArray,
} from './carried-content.ts';

export type CarriedSource =
  | {
      readonly array: CarriedArray;
      readonly rows: Int32Array | undefined;
      readonly columns: Int32Array | undefined;
    }
  | { readonly matrix: SparseChoice; readonly part: 'indices' | 'data' };

/** Chosen rows of a CSR matrix, or columns of a CSC matrix. */
export interface SparseChoice extends Omit<EntryRequest, 'of'> {
  /** Chosen entries before each chosen row, and in total. */
  targets: Float64Array;
}

export interface Carried {
  readonly of: 'carried';
  readonly from: CarriedSource;
}

type Node = H5Node<Carried>;

/** Why an element cannot be cut to some cells. */
export class NotCut extends Error {
  override readonly name = 'NotCut';
}

/** Arrays up to this size are read while the file is planned. */
const smallBytes = 1 << 16;
/** Bytes of all such arrays of a file. */
const allSmallBytes = 1 << 24;
/** Entries that are counted at a time. */
const blockEntries = 1 << 20;

/** Rows and columns of an element that are chosen: all where it is undefined. */
export type Choice = readonly (Int32Array | undefined)[];

/** Describes elements as nodes of a file. Reads what is small, and the lengths of texts and rows. */
export class CarriedNodes {
  readonly #read: ReadBytes;
  #inMemory = 0;

  constructor(read: ReadBytes) {
    this.#read = read;
  }

  /** Throws NotCut. */
  async node(node: CarriedNode, choice: Choice): Promise<Node> {
    const [rows, columns] = choice;
    if (rows === undefined && columns === undefined) return this.#whole(node);
    if (isCarriedArray(node)) return this.#array(node, rows, columns);
    const encoding = encodingOf(node);
    if (encoding === 'csr_matrix') return this.#sparse(node, rows, columns);
    if (encoding === 'csc_matrix') return this.#sparse(node, columns, rows);
    if (columns !== undefined) throw unknownEncoding(encoding);
    const cut = new Set(
      encoding === 'dataframe'
        ? node.members.map(([name]) => name)
        : encoding === 'categorical'
          ? ['codes']
          : encoding.startsWith('nullable-')
            ? ['values', 'mask']
            : [],
    );
    if (cut.size === 0 && encoding !== 'dataframe') throw unknownEncoding(encoding);
    const members = new Map<string, Node>();
    for (const [name, member] of node.members)
      members.set(name, await this.node(member, cut.has(name) ? [rows] : []));
    return { kind: 'group', attributes: attributesOf(node.attributes), members };
  }

  async #whole(node: CarriedNode): Promise<Node> {
    if (isCarriedArray(node)) return this.#array(node, undefined, undefined);
    const members = new Map<string, Node>();
    for (const [name, member] of node.members) members.set(name, await this.#whole(member));
    return { kind: 'group', attributes: attributesOf(node.attributes), members };
  }

  async #array(
    array: CarriedArray,
    rows: Int32Array | undefined,
    columns: Int32Array | undefined,
  ): Promise<Node> {
    const { type, shape, attributes: carried, texts } = array;
    const attributes = attributesOf(carried);
    if (shape === undefined)
      return { kind: 'array', attributes, type, shape: [], isNull: true, content: new Uint8Array(0) };
    const cut = shape.map((length, axis) => [rows, columns][axis]?.length ?? length);
    const node = { kind: 'array' as const, attributes, type, shape: cut };
    const source: Carried = { of: 'carried', from: { array, rows, columns } };
    if (texts !== undefined) {
      const offsets = await textOffsets(array, rows, this.#read);
      return { ...node, content: { source, heapSizes: heapSizes({ offsets, bytes: new Uint8Array(0) }) } };
    }
    const bytes = shape.reduce((product, length) => product * length, bytesOfType(type));
    const isSmall = bytes <= smallBytes && this.#inMemory + bytes <= allSmallBytes;
    if (rows !== undefined || columns !== undefined || !isSmall) return { ...node, content: { source } };
    this.#inMemory += bytes;
    return { ...node, content: await this.#read(array.at, array.at + bytes) };
  }

  async #sparse(
    node: CarriedGroup,
    majors: Int32Array | undefined,
    minors: Int32Array | undefined,
  ): Promise<Node> {
    const [indptr, indices, data] = ['indptr', 'indices', 'data'].map((name) => memberOf(node, name));
    const stored = await numbersOf(indptr!, 0, indptr!.shape![0]!, this.#read);
    const [rowLength, columnLength] = shapeOf(node);
    const isRows = encodingOf(node) === 'csr_matrix';
    const count = majors?.length ?? stored.length - 1;
    const places = minors && placesOf(minors, isRows ? columnLength! : rowLength!);
    const starts = new Float64Array(count);
    const ends = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const major = majors ? majors[at]! : at;
      starts[at] = stored[major]!;
      ends[at] = stored[major + 1]!;
    }
    const matrix = { indices: indices!, data: data!, starts, ends, ...(places && { places }) };
    const targets = new Float64Array(count + 1);
    for (const [from, to] of entryBlocks(starts, ends)) {
      const counts = places
        ? await entryBytes({ of: 'counts', ...slicedEntries(matrix, from, to) }, this.#read)
        : undefined;
      const some = counts && new Float64Array(counts.buffer, counts.byteOffset, to - from);
      for (let at = from; at < to; at++)
        targets[at + 1] = targets[at]! + (some ? some[at - from]! : ends[at]! - starts[at]!);
    }
    const total = targets[count]!;
    const choice: SparseChoice = { ...matrix, targets };
    const wide = indptr!.type === 'int64';
    const positions = wide ? BigInt64Array.from(targets, BigInt) : Int32Array.from(targets);
    const minorCount = minors?.length ?? (isRows ? columnLength! : rowLength!);
    const shape = isRows ? [count, minorCount] : [minorCount, count];
    const entries = (array: CarriedArray, part: 'indices' | 'data'): H5Array<Carried> => ({
      kind: 'array',
      attributes: attributesOf(array.attributes),
      type: array.type,
      shape: [total],
      content: { source: { of: 'carried', from: { matrix: choice, part } } },
    });
    return {
      kind: 'group',
      attributes: { ...attributesOf(node.attributes), shape: { int64: shape } },
      members: new Map<string, Node>([
        ['data', entries(data!, 'data')],
        ['indices', entries(indices!, 'indices')],
        [
          'indptr',
          {
            kind: 'array',
            attributes: attributesOf(indptr!.attributes),
            type: wide ? 'int64' : 'int32',
            shape: [count + 1],
            content: new Uint8Array(positions.buffer),
          },
        ],
      ]),
    };
  }
}

/** Lengths of the axes of an element, as far as it says them. */
export function sizeOf(node: CarriedNode): readonly number[] | undefined {
  if (isCarriedArray(node)) return node.shape;
  if (/^cs[rc]_matrix$/.test(encodingOf(node))) return shapeOf(node);
  if (encodingOf(node).startsWith('nullable-')) {
    const values = node.members.find(([name]) => name === 'values')?.[1];
    return values && sizeOf(values);
  }
  if (encodingOf(node) !== 'dataframe') return undefined;
  const { _index: index } = node.attributes;
  const named = node.members.find(([name]) => name === index)?.[1];
  return named && sizeOf(named);
}

/** Ranges of rows whose entries, with those between them, are few. */
export function* entryBlocks(starts: Float64Array, ends: Float64Array): Generator<[number, number]> {
  for (let from = 0; from < starts.length;) {
    let to = from + 1;
    while (to < starts.length && ends[to]! - starts[from]! <= blockEntries) to++;
    yield [from, to];
    from = to;
  }
}

export function slicedEntries<T extends Omit<EntryRequest, 'of'>>(
  { indices, data, starts, ends, places }: T,
  from: number,
  to: number,
): Omit<EntryRequest, 'of'> {
  return { indices, data, starts: starts.slice(from, to), ends: ends.slice(from, to), places };
}

function memberOf(node: CarriedGroup, wanted: string): CarriedArray {
  const member = node.members.find(([name]) => name === wanted)?.[1];
  if (member === undefined || !isCarriedArray(member)) throw new NotCut(`it has no ${wanted}`);
  if (wanted !== 'data' && !/^u?int(32|64)$/.test(String(member.type)))
    throw new NotCut(`its ${wanted} is no array of whole numbers`);
  return member;
}

function shapeOf(node: CarriedGroup): number[] {
  const shape = node.attributes['shape'];
  if (typeof shape !== 'object' || !('base64' in shape)) throw new NotCut('it does not say its shape');
  const { buffer } = Uint8Array.from(Buffer.from(shape.base64, 'base64'));
  return shape.type === 'int32' ? [...new Int32Array(buffer)] : Array.from(new BigInt64Array(buffer), Number);
}

function placesOf(minors: Int32Array, count: number): Int32Array {
  const places = new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)).fill(-1);
  minors.forEach((minor, place) => (places[minor] = place));
  return places;
}

function unknownEncoding(encoding: string): NotCut {
  return new NotCut(`its encoding, ${encoding || 'none'}, cannot be cut to some cells or genes`);
}

function attributesOf(attributes: CarriedAttributes): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (typeof value === 'string' || !('base64' in value)) return [name, value as AttributeValue];
      const { type, shape, base64 } = value;
      return [name, { type, shape, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) }];
    }),
  );
}
