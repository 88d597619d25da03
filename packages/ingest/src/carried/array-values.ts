import type { PackedStrings } from '@cellfolio/model';
import { StringPacker, type Elements } from '../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { bytesOfType, type StoredType } from '../write-h5ad/h5-messages.ts';
import { NotCarried } from './stored-type.ts';

/** Some bytes that are made on demand, a few mebibytes at a time. */
export interface ValuePiece {
  bytes: number;
  read(): Iterable<Uint8Array>;
}

const sliceBytes = 4 * 2 ** 20;
/** One row of an array is in memory as a whole. */
const maxRowBytes = 64 * 2 ** 20;
/** Texts of one array, which are in memory while they are measured, and again while they are written. */
const maxTextBytes = 32 * 2 ** 20;

export function int32Values(values: Int32Array): ValuePiece {
  return { bytes: values.byteLength, read: () => [bytesOf(values)] };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The elements of a dataset of HDF5, in slices of whole rows. */
export class ArrayValues {
  readonly #file: Hdf5File;
  readonly #info: DatasetInfo;
  readonly #type: StoredType;

  constructor(file: Hdf5File, info: DatasetInfo, type: StoredType) {
    this.#file = file;
    this.#info = info.shape.length === 1 && info.type.kind === 'number' ? file.located(info) : info;
    this.#type = type;
    if (this.#rowElements * info.type.size > maxRowBytes)
      throw new NotCarried('one of its rows has more than 64 MiB');
  }

  get #rowElements(): number {
    return this.#info.shape.slice(1).reduce((product, length) => product * length, 1);
  }

  get #count(): number {
    return this.#info.shape.reduce((product, length) => product * length, 1);
  }

  /** Elements as they are stored; the places of texts of any length are zeros. */
  piece(): ValuePiece {
    const width = bytesOfType(this.#type);
    return {
      bytes: this.#count * width,
      read: () => this.#slices((elements) => storedElements(elements, this.#info, this.#type, width)),
    };
  }

  /** Texts of any length at these places of each element: their offsets, then their bytes. Reads them to know how long. */
  textPiece(places: readonly number[]): ValuePiece & { count: number } {
    const { offsets, bytes } = this.#texts(places);
    const read = () => {
      const texts = this.#texts(places);
      return [bytesOf(texts.offsets), texts.bytes];
    };
    return { count: offsets.length - 1, bytes: offsets.byteLength + bytes.length, read };
  }

  /** Element after element. */
  #texts(places: readonly number[]): PackedStrings {
    const count = this.#count * places.length;
    if (count * Uint32Array.BYTES_PER_ELEMENT > maxTextBytes) throw tooLong();
    const packer = new StringPacker(count);
    const type = { size: 0, variable: true };
    const slices = this.#slices((elements, memory) => {
      const { offset, stride } = elements;
      if (places.length === 1) packer.add({ ...elements, offset: offset + places[0]! }, type, memory);
      else
        for (let i = 0; i < elements.count; i++)
          for (const place of places)
            packer.add({ ...elements, offset: offset + i * stride + place, count: 1 }, type, memory);
      if (packer.bytes > maxTextBytes) throw tooLong();
    });
    for (const _ of slices);
    return this.#file.inUtf8(this.#info.path, packer.strings());
  }

  *#slices<T>(use: (elements: Elements, memory: Uint8Array) => T): Generator<T> {
    const { shape, type } = this.#info;
    if (this.#count === 0) return;
    const [rows = 1, ...rest] = shape;
    const rowBytes = Math.max(1, this.#rowElements * type.size);
    const slice = this.#sliceRows(rowBytes);
    for (let row = 0; row < rows; row += slice) {
      const box =
        shape.length === 0
          ? { start: [], count: [] }
          : { start: [row, ...rest.map(() => 0)], count: [Math.min(slice, rows - row), ...rest] };
      yield this.#file.read(this.#info, box, use);
    }
  }

  /** Whole chunks, so that each is unpacked once. */
  #sliceRows(rowBytes: number): number {
    // Long texts are behind short references.
    const rows = Math.max(1, Math.floor((this.#holdsTexts ? sliceBytes / 64 : sliceBytes) / rowBytes));
    const chunkRows = this.#info.chunks?.[0] ?? 1;
    if (chunkRows * rowBytes > maxRowBytes) return rows;
    return Math.max(chunkRows, rows - (rows % chunkRows));
  }

  get #holdsTexts(): boolean {
    return this.#type === 'string' || (typeof this.#type !== 'string' && 'members' in this.#type);
  }
}

function storedElements(
  { bytes, offset, stride, count }: Elements,
  { type }: DatasetInfo,
  stored: StoredType,
  width: number,
): Uint8Array {
  if (type.kind !== 'compound' || typeof stored === 'string' || !('members' in stored))
    return bytes.slice(offset, offset + count * width);
  const out = new Uint8Array(count * width);
  for (const [at, { offset: to, type: own }] of stored.members.entries()) {
    if (own === 'string') continue;
    const from = offset + type.members[at]!.offset;
    const length = bytesOfType(own);
    for (let i = 0; i < count; i++)
      for (let byte = 0; byte < length; byte++) out[i * width + to + byte] = bytes[from + i * stride + byte]!;
  }
  return out;
}

function tooLong(): NotCarried {
  return new NotCarried('its texts have more than 32 MiB');
}
