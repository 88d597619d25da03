import { statSync, type Stats } from 'node:fs';
import { type NumericArray, type PackedStrings, unpackStrings } from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import { recodedStrings } from '../text-encoding.ts';
import {
  assertFewAttributes,
  DeclaredSizes,
  tooLarge,
  openFailure,
  readableStat,
  elsewhere,
  readFailure,
  valuesNotFound,
  virtualValues,
} from './failures.ts';
import { decodeNumbers, numericArray, StringPacker, type Elements } from './decode-elements.ts';
import {
  type DatasetInfo,
  elementType,
  type ElementType,
  isBigEndianNumber,
  typeName,
} from './element-type.ts';
import { FileStructure } from './file-structure.ts';
import { missingValues } from './missing-values.ts';
import { oddNumberType } from './odd-number-type.ts';
import { storedBytes } from './stored-bytes.ts';
import { type ElementSource, StoredReader } from './stored-reader.ts';
import { confined, lastDiagnostics, loadHdf5, type Hdf5Calls } from './hdf5-library.ts';

export type AttributeValue = string | number | boolean | readonly string[] | NumericArray;

/** Numbers with their type and shape, as their bytes; without a shape it is null. */
export interface TypedNumbers {
  type: ElementType;
  shape: readonly number[] | undefined;
  bytes: Uint8Array;
}

const sliceRows = 65_536;
const firstStrings = 256;
const stringBytes = 8 * 2 ** 20;
/** Maximum size; lists of cells or genes are shorter. */
const maxStringBytes = 2 ** 30;
const group = 0;
const dataset = 1;
const foreignLink = 4;

/**
 * An HDF5 file opened for reading, lazily: each read fetches the requested box into one buffer inside the library's
 * memory, which `read` lends to its callback.
 */
export class Hdf5File implements ElementSource {
  readonly path: string;
  /** Paths of the parts read whose texts are not UTF-8. */
  readonly recodedParts: Set<string> = new Set();
  readonly #calls: Hdf5Calls;
  readonly #file: bigint;
  readonly #opened: Stats;
  /** The group that paths without a leading slash begin at, such as `/mod/rna`; '' is the whole file. */
  readonly #root: string;
  readonly #parent: Hdf5File | undefined;
  readonly #allocate: (bytes: number) => number;
  readonly #release: (pointer: number) => void;
  #buffer = 0;
  #bufferBytes = 0;
  #stored: StoredReader | undefined;
  #fileStructure: FileStructure | undefined;
  readonly #declared: DeclaredSizes;
  /** Paths of datasets known to have all their values. */
  readonly #written = new Set<string>();

  private constructor(
    path: string,
    calls: Hdf5Calls,
    file: bigint,
    opened: Stats,
    within?: { root: string; parent: Hdf5File },
  ) {
    this.path = path;
    this.#calls = calls;
    this.#file = file;
    this.#opened = opened;
    this.#root = within?.root ?? '';
    this.#parent = within?.parent;
    this.#declared = within === undefined ? new DeclaredSizes() : within.parent.#declared;
    if (within !== undefined) this.recodedParts = within.parent.recodedParts;
    const { _malloc: allocate, _free: release } = calls;
    this.#allocate = allocate;
    this.#release = release;
  }

  /** Throws H5adError `not-found`, `not-hdf5`, `truncated` or `unreadable`. */
  static async open(path: string): Promise<Hdf5File> {
    const opened = readableStat(path);
    const calls = await loadHdf5();
    let file = -1n;
    try {
      file = confined(path, () => calls.open(path, 0, false, -1, -1));
    } catch (cause) {
      // The library gave up: on this file, or on an earlier one, and then for good in this thread.
      throw openFailure(path, opened.size, cause);
    }
    if (file < 0n) throw openFailure(path, opened.size);
    return new Hdf5File(path, calls, file, opened);
  }

  /** The same file with paths that begin at one of its groups; an absolute path still names any part. Closes the file. */
  within(group: string): Hdf5File {
    const root = this.#absolute(group);
    return new Hdf5File(this.path, this.#calls, this.#file, this.#opened, { root, parent: this });
  }

  #absolute(path: string): string {
    if (path === '') return this.#root || '/';
    return path.startsWith('/') ? path : `${this.#root}/${path}`;
  }

  get size(): number {
    return this.#opened.size;
  }

  /** Throws `vanished` if the file is no longer the one that was opened. */
  assertUnchanged(): void {
    const now = statSync(this.path, { throwIfNoEntry: false });
    const { ino, dev, size, mtimeMs } = this.#opened;
    if (now?.ino === ino && now.dev === dev && now.size === size && now.mtimeMs === mtimeMs) return;
    throw new H5adError({
      code: 'vanished',
      path: this.path,
      part: '',
      problem:
        now === undefined ? 'the file vanished while it was read.' : 'the file changed while it was read.',
      hint: 'Nothing was imported; import it again once it is complete and stays in place.',
    });
  }

  /** Kind of the object at a path. Throws `unsupported-link` if it points into another file. */
  kind(path: string): 'group' | 'dataset' | undefined {
    const type = this.#run(() => this.#calls.get_type(this.#file, this.#absolute(path)));
    if (type === group) {
      // The library takes whatever a path names below a dataset for a group.
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      return parent === '' || this.kind(parent) === 'group' ? 'group' : undefined;
    }
    if (type === foreignLink) throw elsewhere(this.path, path);
    return type === dataset ? 'dataset' : undefined;
  }

  children(path: string): string[] {
    return this.#run(() => this.#calls.get_names(this.#file, this.#absolute(path), false), path);
  }

  attribute(path: string, name: string): AttributeValue | undefined {
    return this.#run(() => {
      const where = this.#absolute(path);
      const names = this.#calls.get_attribute_names(this.#file, where);
      assertFewAttributes(this.path, path, names.length);
      if (!names.includes(name)) return undefined;
      return this.#lentAttribute(path, name, (elements, type, shape) =>
        shape === undefined
          ? undefined
          : this.#attributeValue(elements, type, shape.length === 0, `${path}, attribute ${name}`),
      );
    }, path);
  }

  /** All attributes of an object, but those of types that have neither numbers nor text. */
  attributes(path: string): Map<string, string | readonly string[] | TypedNumbers> {
    return this.#run(() => {
      const names = this.#calls.get_attribute_names(this.#file, this.#absolute(path));
      assertFewAttributes(this.path, path, names.length);
      const values = new Map<string, string | readonly string[] | TypedNumbers>();
      for (const name of names) {
        this.#lentAttribute(path, name, (elements, type, shape) => {
          if (type.kind === 'string' && shape !== undefined) {
            const value = this.#attributeValue(
              elements,
              type,
              shape.length === 0,
              `${path}, attribute ${name}`,
            );
            values.set(name, value as string | readonly string[]);
          } else if (type.kind === 'number' || type.kind === 'boolean') {
            const { bytes, offset, stride, count } = elements;
            values.set(name, { type, shape, bytes: bytes.slice(offset, offset + stride * count) });
          }
        });
      }
      return values;
    }, path);
  }

  #lentAttribute<T>(
    path: string,
    name: string,
    use: (elements: Elements, type: ElementType, shape: readonly number[] | undefined) => T,
  ): T {
    const where = this.#absolute(path);
    const raw = this.#calls.get_attribute_metadata(this.#file, where, name);
    const count = raw.shape === null ? 0 : raw.total_size;
    const pointer = this.#reserve(raw.size * count);
    if (count > 0) this.#calls.get_attribute_data(this.#file, where, name, BigInt(pointer));
    try {
      return use(this.#elements(pointer, raw.size, count), elementType(raw), raw.shape ?? undefined);
    } finally {
      if (raw.vlen && count > 0) this.#calls.reclaim_vlen_memory(this.#file, where, name, BigInt(pointer));
    }
  }

  text(path: string, name: string): string | undefined {
    const value = this.attribute(path, name);
    if (typeof value === 'string') return value;
    return Array.isArray(value) && value.length === 1 ? (value[0] as string) : undefined;
  }

  dataset(path: string): DatasetInfo {
    const [raw, filters] = this.#run(() => {
      const where = this.#absolute(path);
      const metadata = this.#calls.get_dataset_metadata(this.#file, where);
      return [metadata, this.#calls.get_dataset_filters(this.#file, where)] as const;
    }, path);
    const type = elementType(raw);
    const odd =
      type.kind === 'number'
        ? this.#structure((file) => oddNumberType(file, this.#absolute(path)))
        : undefined;
    const info: DatasetInfo = {
      // Threads open the whole file by themselves.
      path: this.#root === '' ? path : this.#absolute(path),
      shape: raw.shape ?? [0],
      type: odd === undefined ? type : { kind: 'other', size: type.size, name: odd },
      ...(raw.chunks === null ? {} : { chunks: raw.chunks }),
      filters: filters.map(({ id, name }) => ({ id, name })),
      ...(isBigEndianNumber(raw) && { bigEndian: true as const }),
      ...((raw.virtual_sources?.length ?? 0) > 0 && { virtual: true as const }),
    };
    this.#declared.add(this, info);
    return info;
  }

  #structure<T>(use: (file: FileStructure) => T): T | undefined {
    this.#stored ??= new StoredReader(this.path);
    this.#fileStructure ??= new FileStructure(this.#stored.descriptor, this.size);
    try {
      return use(this.#fileStructure);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /**
   * The library reads values that were never written, or that it cannot find, as zeros. Throws H5adError for a dataset
   * with such values.
   */
  assertWritten(info: DatasetInfo): void {
    if (this.#written.has(info.path)) return;
    if (info.virtual) throw virtualValues(this.path, info.path);
    const missing = this.#structure((file) => missingValues(file, info));
    if (missing !== undefined) throw valuesNotFound(this.path, info.path, missing);
    this.#written.add(info.path);
  }

  /** The dataset with the location of its bytes, if they can be found: it is then read bypassing the library. */
  located(info: DatasetInfo): DatasetInfo {
    this.#stored ??= new StoredReader(this.path);
    const stored = storedBytes(this.#stored.descriptor, this.size, info);
    return stored === undefined ? info : { ...info, stored };
  }

  fill(info: DatasetInfo, start: number, end: number, out: NumericArray): boolean {
    return info.stored !== undefined && this.#stored!.fill(info, start, end, out);
  }

  /**
   * Reads a box of a dataset and lends its elements, row-major, to `use`. They are invalid after `use` returns. Throws
   * `unsupported-filter` or `unreadable`.
   */
  read<T>(
    info: DatasetInfo,
    box: { start: readonly number[]; count: readonly number[] },
    use: (elements: Elements, memory: Uint8Array) => T,
  ): T {
    if (info.stored !== undefined) return this.#stored!.read(info, box, use);
    const total = box.count.reduce((product, n) => product * n, 1);
    if (total > 0) this.assertWritten(info);
    return this.#run(() => {
      const pointer = this.#reserve(total * info.type.size);
      const scalar = info.shape.length === 0;
      const count = box.count.map(BigInt);
      if (total > 0) {
        const status = this.#calls.get_dataset_data(
          this.#file,
          this.#absolute(info.path),
          scalar ? null : count,
          scalar ? null : box.start.map(BigInt),
          scalar ? null : count.map(() => 1n),
          BigInt(pointer),
        );
        if (status < 0) throw readFailure(this.path, info);
      }
      try {
        return use(this.#elements(pointer, info.type.size, total), this.#calls.HEAPU8);
      } finally {
        if (total > 0 && holdsPointers(info.type)) {
          const where = this.#absolute(info.path);
          if (scalar) this.#calls.reclaim_vlen_memory(this.#file, where, '', BigInt(pointer));
          else this.#calls.reclaim_vlen_memory_count(this.#file, where, '', BigInt(pointer), count);
        }
      }
    }, info.path);
  }

  numbers(info: DatasetInfo, start = 0, end = info.shape[0] ?? 0): NumericArray {
    const { type } = info;
    if (type.kind !== 'number' && type.kind !== 'boolean') throw this.unsupported(info.path, type);
    const out = type.kind === 'number' ? numericArray(type.dtype, end - start) : new Uint8Array(end - start);
    this.eachSlice(info, (elements, at) => decodeNumbers(elements, type, out, at - start), start, end);
    return out;
  }

  /** Lends a one-dimensional dataset in slices, so that the library's memory, which never shrinks, stays small. */
  eachSlice(
    info: DatasetInfo,
    use: (elements: Elements, at: number) => void,
    start = 0,
    end = info.shape[0] ?? 0,
  ): void {
    const slice = sliceRows * 16;
    for (let at = start; at < end; at += slice) {
      const count = Math.min(slice, end - at);
      this.read(info, { start: [at], count: [count] }, (elements) => use(elements, at));
    }
  }

  strings(info: DatasetInfo): PackedStrings {
    const { type } = info;
    if (type.kind !== 'string') throw this.unsupported(info.path, type);
    const rows = info.shape.length === 0 ? 1 : info.shape[0]!;
    const packer = new StringPacker(rows);
    const widest = type.variable ? Infinity : Math.max(1, Math.floor(stringBytes / Math.max(1, type.size)));
    for (let at = 0, slice = firstStrings; at < rows;) {
      const count = Math.min(slice, widest, rows - at);
      this.read(info, { start: [at], count: [count] }, (elements, memory) =>
        packer.add(elements, type, memory),
      );
      at += count;
      // Long strings are read few at a time: the library holds all of a slice at once.
      slice = Math.max(1, Math.min(sliceRows, Math.floor((stringBytes * at) / (packer.bytes + at))));
      if (packer.bytes > maxStringBytes) throw tooLarge(this, info.path, 'its texts');
    }
    return this.inUtf8(info.path, packer.strings());
  }

  /** Converts the texts of a part to UTF-8. One encoding is used for all, so that distinct texts stay distinct. */
  inUtf8(part: string, strings: PackedStrings): PackedStrings {
    const recoded = recodedStrings(strings);
    if (recoded !== undefined) this.recodedParts.add(part);
    return recoded ?? strings;
  }

  unsupported(part: string, type: ElementType): H5adError {
    return new H5adError({
      code: 'unsupported-type',
      path: this.path,
      part,
      problem: `its values are of a type that cannot be used here (${typeName(type)}).`,
      hint: 'Write the file again with anndata.AnnData.write_h5ad.',
    });
  }

  close(): void {
    this.#stored?.close();
    this.#stored = undefined;
    this.#fileStructure = undefined;
    try {
      if (this.#buffer !== 0) this.#release(this.#buffer);
      this.#buffer = 0;
      this.#bufferBytes = 0;
      if (this.#parent !== undefined) return this.#parent.close();
      confined(this.path, () => this.#calls.close_file(this.#file));
    } catch {
      // A library that gave up closes nothing any more; why it did has been said.
    }
  }

  #run<T>(work: () => T, part = ''): T {
    try {
      return confined(this.path, work);
    } catch (error) {
      if (error instanceof H5adError) throw error;
      throw new H5adError({
        code: 'unreadable',
        path: this.path,
        part,
        problem: 'this part of the file could not be read.',
        hint: 'The file may be damaged: copy it again, or write it again with anndata.',
        cause: new Error(`${String(error)}\n${lastDiagnostics()}`),
      });
    }
  }

  #reserve(bytes: number): number {
    if (bytes <= this.#bufferBytes) return this.#buffer;
    if (this.#buffer !== 0) this.#release(this.#buffer);
    this.#bufferBytes = 0;
    this.#buffer = this.#allocate(bytes);
    if (this.#buffer === 0) throw new Error(`HDF5 has no memory left for ${bytes} bytes`);
    this.#bufferBytes = bytes;
    return this.#buffer;
  }

  #elements(pointer: number, stride: number, count: number): Elements {
    return { bytes: this.#calls.HEAPU8, offset: pointer, stride, count };
  }

  #attributeValue(
    elements: Elements,
    type: ElementType,
    scalar: boolean,
    part: string,
  ): AttributeValue | undefined {
    switch (type.kind) {
      case 'string': {
        const packer = new StringPacker(elements.count);
        packer.add(elements, type, this.#calls.HEAPU8);
        const texts = unpackStrings(this.inUtf8(part, packer.strings()));
        return scalar ? texts[0]! : texts;
      }
      case 'boolean':
      case 'number': {
        const out =
          type.kind === 'number' ? numericArray(type.dtype, elements.count) : new Uint8Array(elements.count);
        decodeNumbers(elements, type, out, 0);
        if (!scalar) return out;
        return type.kind === 'boolean' ? out[0] === 1 : out[0]!;
      }
      case 'reference': {
        const { bytes, offset } = elements;
        const reference = bytes.slice(offset, offset + type.size);
        return this.#calls.get_referenced_name(this.#file, reference, true);
      }
      default:
        return undefined;
    }
  }
}

function holdsPointers(type: ElementType): boolean {
  if (type.kind === 'string') return type.variable;
  return type.kind === 'compound' && type.members.some((member) => holdsPointers(member.type));
}
