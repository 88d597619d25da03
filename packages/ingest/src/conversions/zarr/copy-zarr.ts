import { isUtf8 } from 'node:buffer';
import { isSystemFile, packStrings } from '@cellfolio/model';
import * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import { arrayNode } from '../../write-h5ad/column-nodes.ts';
import type { H5File, StoredNode } from '../../write-h5ad/h5-file.ts';
import { elementBytes } from '../../write-h5ad/h5-messages.ts';
import type { AttributeValue, H5Array, H5Group } from '../../write-h5ad/lay-out-file.ts';
import type { ConversionOptions } from '../conversion.ts';
import { skippedAttribute } from '../../carried/carried-content.ts';
import { copyBox, copyNumbers, storedTypes } from './copy-numbers.ts';
import { copyRecords, type RecordArray, recordArray } from './record-array.ts';
import { firstAbsent, storedChunks } from './stored-chunks.ts';
import type { ZarrFiles } from './zarr-files.ts';
import {
  chunkAt,
  isOfObjects,
  notUtf8,
  UnknownType,
  unreadable,
  type ZarrArray,
  zarrNode,
} from './zarr-node.ts';

export const metadataNames: ReadonlySet<string> = new Set([
  'zarr.json',
  '.zgroup',
  '.zattrs',
  '.zmetadata',
  '.zarray',
]);
/** Parts that an import reads. */
const readParts: ReadonlySet<string> = new Set(['X', 'obs', 'var', 'obsm', 'layers', 'raw']);
/** Parts whose elements are carried along: what cannot be copied is left out. */
const carriedParts: ReadonlySet<string> = new Set(['uns', 'varm', 'obsp', 'varp']);
const maxDepth = 8;
/**
 * Maximum compression ratio: a mostly zero matrix packs to a fiftieth; far higher ratios indicate an attempt to fill
 * the disk.
 */
const maxRatio = 200;
const harmlessBytes = 64 * 2 ** 20;
const maxTextBytes = 2 ** 29;
/** Attributes of all nodes stay in memory until the file is finished. */
const maxAttributeLength = 2 ** 26;

interface How {
  depth: number;
  /** Whether it is part of a data frame, or of a categorical column. */
  column?: boolean;
  sparse?: boolean;
  /** Skips an array of an unknown type. */
  optional?: boolean;
  /** Comes back as it is: with its number of dimensions, and null as null. */
  carried?: boolean;
}

export class ZarrCopy {
  readonly #files: ZarrFiles;
  readonly #output: H5File;
  readonly #options: Pick<ConversionOptions, 'signal' | 'onProgress'>;
  #declared = 0;
  #attributeLength = 0;
  #written = 0;

  constructor(files: ZarrFiles, output: H5File, options: Pick<ConversionOptions, 'signal' | 'onProgress'>) {
    this.#files = files;
    this.#output = output;
    this.#options = options;
  }

  /** Stores all arrays and returns the root. Throws H5adError that names the part; H5adWriteFailed; the signal's reason. */
  async run(): Promise<H5Group<never>> {
    const root = await zarrNode(this.#files, '');
    const names = await this.#names('');
    if (
      root === undefined ||
      root instanceof UnknownType ||
      root instanceof zarr.Array ||
      !names.includes('obs') ||
      !names.includes('var')
    ) {
      throw new H5adError({
        code: 'not-anndata',
        path: this.#files.path,
        part: '',
        problem: `this is Zarr, but not AnnData: it has no obs and var. It holds ${names.slice(0, 6).join(', ') || 'nothing'}.`,
        hint: 'Choose the folder that anndata.AnnData.write_zarr wrote.',
      });
    }
    const members = new Map<string, StoredNode>();
    for (const name of names.filter((part) => readParts.has(part)))
      await this.#copyInto(members, name, name, { depth: 1, carried: name === 'obsm' });
    for (const part of names.filter((name) => carriedParts.has(name))) {
      const within = new Map<string, StoredNode>();
      for (const name of await this.#names(part))
        if (!isSystemFile(name)) await this.#carryInto(within, name, `${part}/${name}`);
      members.set(part, groupOf({}, within));
    }
    return groupOf(this.#attributesOf('', root.attrs), members);
  }

  async #names(key: string): Promise<string[]> {
    const names = await this.#files.names(key);
    // HDF5 ends a name at a NUL.
    const isName = (name: string) =>
      !metadataNames.has(name) && name !== '.' && name !== '..' && !name.includes('\0');
    return names.filter(isName).toSorted();
  }

  async #carryInto(into: Map<string, StoredNode>, name: string, key: string): Promise<void> {
    try {
      await this.#copyInto(into, name, key, { depth: 2, optional: true, carried: true });
    } catch (error) {
      if (!(error instanceof H5adError)) throw error;
      into.set(name, skipped(error.problem));
    }
  }

  async #copyInto(into: Map<string, StoredNode>, name: string, key: string, how: How): Promise<void> {
    const node = await this.#copied(key, how);
    if (node !== undefined) into.set(name, node);
  }

  async #copied(
    key: string,
    { depth, column = false, sparse = false, optional = column, carried = false }: How,
  ): Promise<StoredNode | undefined> {
    this.#options.signal?.throwIfAborted();
    if (depth > maxDepth) throw unreadable(this.#files, key, `it lies deeper than ${maxDepth} groups`);
    const node = await zarrNode(this.#files, key);
    const isBytes = node instanceof zarr.Array && node.dtype.startsWith('v2:S');
    if (carried && (isBytes || node instanceof UnknownType)) {
      const records = await recordArray(this.#files, key);
      if (records !== undefined) return this.#records(key, records);
    }
    if (node instanceof UnknownType) {
      if (!optional) throw unreadable(this.#files, key, `its values are of the type ${node.quoted}`);
      return skipped(node.name);
    }
    if (node === undefined) return undefined;
    if (node.attrs['encoding-type'] === 'null')
      return carried ? nullNode(this.#attributesOf(key, node.attrs)) : undefined;
    if (node instanceof zarr.Array) return this.#array(key, node, { column, sparse, carried });
    const encoding = String(node.attrs['encoding-type']);
    const columns = encoding === 'dataframe' || encoding === 'categorical';
    const inside = {
      depth: depth + 1,
      // Flags of what is missing are booleans.
      column: columns || encoding.startsWith('nullable-'),
      sparse: /^cs[cr]_matrix$/.test(encoding),
      optional: columns || optional,
      carried,
    };
    const members = new Map<string, StoredNode>();
    for (const name of await this.#names(key)) await this.#copyInto(members, name, `${key}/${name}`, inside);
    return groupOf(this.#attributesOf(key, node.attrs), members);
  }

  async #array(
    key: string,
    array: ZarrArray,
    { column, sparse, carried }: { column: boolean; sparse: boolean; carried: boolean },
  ): Promise<StoredNode> {
    const { shape, dtype } = array;
    const type = storedTypes.get(dtype);
    this.#declare(key, array, elementBytes[type ?? 'string']);
    const attributes = this.#attributesOf(key, array.attrs);
    if ((shape.length > 2 && !carried) || (type === undefined && shape.length > 1))
      return skipped(`an array of ${shape.length} dimensions`);
    if (type === undefined) {
      const strings = await this.#strings(key, array);
      const node = arrayNode<never>('string', [strings.length], packStrings(strings));
      return { ...this.#output.stored(key, node), attributes, ...(carried && { shape }) };
    }
    const numbers =
      shape.length > 2
        ? await copyBox({ files: this.#files, to: this.#output, key, array })
        : await this.#numbers(key, array, sparse && key.endsWith('/data'));
    const isFlags = dtype === 'bool' && (carried || (column && shape.length === 1));
    return { ...numbers, attributes, ...(isFlags && { type: 'bool' }), ...(carried && { shape }) };
  }

  async #records(key: string, records: RecordArray): Promise<StoredNode> {
    this.#declare(key, records.bytes, 1);
    const attributes = this.#attributesOf(key, records.attributes);
    const node = await copyRecords({ files: this.#files, to: this.#output, key }, records, attributes);
    return node ?? skipped(`a table of ${records.fields.length} columns`);
  }

  #numbers(key: string, array: ZarrArray, noZeros: boolean): Promise<H5Array<never>> {
    const onChunk = (bytes: number) => {
      this.#options.signal?.throwIfAborted();
      this.#written += bytes;
      // What is declared grows while parts are found; the matrix is among the first.
      this.#options.onProgress?.(Math.min(1, this.#written / Math.max(1, this.#declared)));
    };
    return copyNumbers({ files: this.#files, to: this.#output, key, array, noZeros, onChunk });
  }

  async #strings(key: string, array: ZarrArray): Promise<string[]> {
    const [rows = 1] = array.shape;
    const [chunkRows = 1] = array.chunks;
    if (rows === 0) return [];
    const { numbers, count, placeOf } = await storedChunks(this.#files, key, array);
    const strings = new Array<string>(rows);
    let bytes = 0;
    const textsAt = async (number: number): Promise<Iterable<unknown>> => {
      const { data } = await chunkAt(this.#files, { key, array, place: placeOf(number) });
      // Bytes of one length, which zarrita decodes without a check.
      if (array.dtype.startsWith('v2:S') && !isUtf8(bytesOf(data))) throw notUtf8(this.#files, key);
      return data as Iterable<unknown>;
    };
    const textOf = (value: unknown): string => {
      const text = typeof value === 'string' ? value : '';
      if (text.includes('\0')) throw unreadable(this.#files, key, 'one of its texts holds a NUL character');
      return text;
    };
    const take = (length: number): void => {
      bytes += length;
      if (bytes > maxTextBytes) throw this.#tooLarge(key, 'its texts take more memory than is available');
    };
    if (numbers.length < count) {
      // A chunk of texts of any length is not made for its fill value: it may declare any number of them.
      const value = isOfObjects(array) ? array.fillValue : [...(await textsAt(firstAbsent(numbers)))][0];
      const text = textOf(value);
      take(text.length * rows);
      strings.fill(text);
    }
    for (const number of numbers) {
      this.#options.signal?.throwIfAborted();
      let row = number * chunkRows;
      const end = Math.min(row + chunkRows, rows);
      let length = 0;
      for (const value of await textsAt(number)) {
        if (row === end) break;
        const text = textOf(value);
        length += text.length;
        strings[row++] = text;
      }
      if (row < end) throw unreadable(this.#files, `${key}, chunk ${number}`, 'it is cut short');
      take(length);
    }
    return strings;
  }

  #declare(key: string, { shape }: ZarrArray, bytes: number): void {
    this.#declared += shape.reduce((product, length) => product * length, bytes);
    if (this.#declared <= Math.max(harmlessBytes, maxRatio * this.#files.bytes)) return;
    throw this.#tooLarge(
      key,
      `it declares ${shape.join(' x ')} values, more than a file of ${this.#files.bytes} bytes can hold`,
    );
  }

  #attributesOf(key: string, attributes: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
    const supported = attributesOf(attributes);
    this.#attributeLength += JSON.stringify(supported).length;
    if (this.#attributeLength <= maxAttributeLength) return supported;
    throw this.#tooLarge(key, 'its attributes are longer than any that anndata writes');
  }

  #tooLarge(part: string, problem: string): H5adError {
    return new H5adError({
      code: 'too-large',
      path: this.#files.path,
      part,
      problem: `${problem}.`,
      hint: 'The file is damaged or cut short: copy it again, or write it again with anndata.',
    });
  }
}

function groupOf(
  attributes: Readonly<Record<string, AttributeValue>>,
  members: ReadonlyMap<string, StoredNode> = new Map(),
): H5Group<never> {
  return { kind: 'group', attributes, members };
}

/** In place of an array that is not copied, so that the report shows its name and type. */
function skipped(encoding: string): StoredNode {
  return groupOf({ 'encoding-type': encoding, [skippedAttribute]: encoding });
}

function nullNode(attributes: Readonly<Record<string, AttributeValue>>): StoredNode {
  return {
    kind: 'array',
    attributes,
    type: 'float32',
    shape: [],
    isNull: true,
    content: { address: 0, length: 0 },
  };
}

function bytesOf(data: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as ArrayBufferView<ArrayBuffer>;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Attributes that AnnData encodings use. References of anndata 0.7 are omitted, since their paths differ. */
function attributesOf(attributes: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  const supported = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(attributes)) {
    // HDF5 ends a name at a NUL.
    if (name === 'categories' || name.includes('\0')) continue;
    if (typeof value === 'string') supported.set(name, value);
    else if (typeof value === 'boolean') supported.set(name, { bool: value });
    else if (!Array.isArray(value)) continue;
    else if (value.every((item) => typeof item === 'string')) supported.set(name, value);
    else if (value.every((item) => Number.isSafeInteger(item)))
      supported.set(name, { int64: value as number[] });
  }
  return Object.fromEntries(supported);
}
