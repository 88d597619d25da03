import { packStrings } from '@cellfolio/model';
import * as zarr from 'zarrita';
import { H5adError } from '../../h5ad-error.ts';
import type { H5File } from '../../write-h5ad/h5-file.ts';
import {
  arrayMessages,
  bytesOfType,
  elementBytes,
  type MemberType,
  maxMessageBytes,
  packedRecord,
} from '../../write-h5ad/h5-messages.ts';
import type { AttributeValue, H5Array } from '../../write-h5ad/lay-out-file.ts';
import { ownBytes } from '../file-bytes.ts';
import { boxBytes } from './copy-numbers.ts';
import type { ZarrFiles } from './zarr-files.ts';
import { assertSound, unreadable, type ZarrArray } from './zarr-node.ts';

/** One field of a record, or the whole element of an array of texts of one length. */
interface Field {
  name: string;
  /** Characters of UTF-32 become a text of any length, as anndata writes them to HDF5. */
  type: MemberType;
  bytes: number;
}

/** An array of records or of byte strings, as an array of bytes with one more dimension. */
export interface RecordArray {
  bytes: ZarrArray;
  attributes: Readonly<Record<string, unknown>>;
  shape: readonly number[];
  fields: readonly Field[];
  isRecord: boolean;
}

interface Metadata {
  shape: readonly number[];
  /** Version 2. */
  chunks?: readonly number[];
  dtype?: unknown;
  filters?: unknown;
  order?: string;
  dimension_separator?: string;
  /** Version 3. */
  data_type?: unknown;
  chunk_grid?: { name: string; configuration: { chunk_shape: readonly number[] } };
  chunk_key_encoding?: { name: string; configuration?: { separator?: string } };
  codecs?: readonly Codec[];
  fill_value: unknown;
  attributes?: Record<string, unknown>;
}

interface Codec {
  name: string;
  configuration?: { chunk_shape?: readonly number[]; codecs?: readonly Codec[]; endian?: string };
}

/**
 * The array at a key if its type is one that zarrita does not read: records, such as the tables of
 * `uns['rank_genes_groups']`, or byte strings. Reads what zarr-python writes: lists of fields (version 2), `structured`,
 * and `struct` (https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct). Throws H5adError.
 */
export async function recordArray(files: ZarrFiles, key: string): Promise<RecordArray | undefined> {
  try {
    return await opened(files, key);
  } catch (cause) {
    if (cause instanceof H5adError) throw cause;
    throw unreadable(files, key, 'its metadata cannot be read', cause);
  }
}

async function opened(files: ZarrFiles, key: string): Promise<RecordArray | undefined> {
  const json = async (name: string) => {
    const bytes = await files.get(`${key}/${name}`);
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as unknown);
  };
  const v3 = (await json('zarr.json')) as Metadata | undefined;
  const metadata = v3 ?? ((await json('.zarray')) as Metadata | undefined);
  if (metadata === undefined || !isPlain(metadata)) return undefined;
  const type = metadata.data_type ?? metadata.dtype;
  const single = fieldOf('', type);
  const fields = single ? [single] : recordFields(type);
  if (fields === undefined || fields.length === 0) return undefined;
  const width = fields.reduce((sum, { bytes }) => sum + bytes, 0);
  const asBytes = Buffer.from(JSON.stringify(v3 ? version3Bytes(v3, width) : version2Bytes(metadata, width)));
  const isZero = isZeroFill(metadata.fill_value);
  const chunkKey = (path: string) => `${key}/${chunkName(path, metadata)}`;
  const store: zarr.AsyncReadable = {
    get: async (path) => {
      if (path === (v3 ? '/zarr.json' : '/.zarray')) return ownBytes(asBytes);
      if (/^\/(\.z|zarr\.json)/.test(path)) return undefined;
      const chunk = await files.get(chunkKey(path));
      if (chunk === undefined && !isZero) throw unreadable(files, key, 'one of its chunks is missing');
      return chunk;
    },
    getRange: (path, range) => files.get(chunkKey(path), range),
  };
  const bytes = await zarr.open(store, { kind: 'array' });
  assertSound(files, key, bytes);
  const attributes = v3 ? v3.attributes : ((await json('.zattrs')) as Record<string, unknown> | undefined);
  const { shape } = metadata;
  return { bytes, attributes: attributes ?? {}, shape, fields, isRecord: single === undefined };
}

/** Whether the bytes of a chunk are its records one after the other, in the byte order of this machine. */
function isPlain({ filters, order, shape, codecs = [] }: Metadata): boolean {
  const keepsOrder = ({ name, configuration }: Codec): boolean =>
    name !== 'transpose' &&
    configuration?.endian !== 'big' &&
    (configuration?.codecs ?? []).every(keepsOrder);
  return !filters && (order !== 'F' || shape.length < 2) && codecs.every(keepsOrder);
}

/** Name of a chunk from that of its bytes, `/0/1/0` or `/c/0/1/0`, which have one dimension more. */
function chunkName(path: string, { data_type, dimension_separator, chunk_key_encoding }: Metadata): string {
  const place = path
    .replace(/^\/(c\/)?/, '')
    .split('/')
    .slice(0, -1);
  const { name, configuration } = chunk_key_encoding ?? { name: 'default' };
  if (data_type !== undefined && name === 'default')
    return ['c', ...place].join(configuration?.separator ?? '/');
  return place.join(configuration?.separator ?? dimension_separator ?? '.') || '0';
}

function version2Bytes({ shape, chunks = [], ...metadata }: Metadata, width: number) {
  return {
    ...metadata,
    shape: [...shape, width],
    chunks: [...chunks, width],
    dtype: '|u1',
    fill_value: 0,
    order: 'C',
    dimension_separator: '/',
  };
}

function version3Bytes({ shape, chunk_grid: grid, codecs = [], ...metadata }: Metadata, width: number) {
  const wider = <T extends { configuration?: { chunk_shape?: readonly number[] } }>(part: T) => {
    const chunk = part.configuration?.chunk_shape;
    return chunk
      ? { ...part, configuration: { ...part.configuration, chunk_shape: [...chunk, width] } }
      : part;
  };
  return {
    ...metadata,
    shape: [...shape, width],
    data_type: 'uint8',
    fill_value: 0,
    chunk_grid: grid && wider(grid),
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    codecs: codecs.map(wider),
    attributes: {},
  };
}

/** Bytes of a fill value as Base64, or a value for each field. */
function isZeroFill(fill: unknown): boolean {
  if (typeof fill === 'string') return Buffer.from(fill, 'base64').every((byte) => byte === 0);
  if (typeof fill !== 'object' || fill === null) return !fill;
  return Object.values(fill).every((value) => value === 0 || value === '' || value === false);
}

/** Writes a record array with its texts. Undefined if HDF5 has no room for the names of its fields. */
export async function copyRecords(
  { files, to, key }: { files: ZarrFiles; to: H5File; key: string },
  { bytes: array, shape, fields, isRecord }: RecordArray,
  attributes: Readonly<Record<string, AttributeValue>>,
): Promise<H5Array<never> | undefined> {
  const record = packedRecord(fields);
  const type = isRecord ? record : fields[0]!.type;
  const messages = arrayMessages(type, shape, { address: 0, length: 0 });
  if (messages.some(({ bytes }) => bytes.length > maxMessageBytes)) return undefined;
  const from = await boxBytes(files, key, array);
  const width = array.shape.at(-1)!;
  const rows = from.length / width;
  const out = new Uint8Array(rows * record.bytes);
  let source = 0;
  for (const [at, { type: member, bytes }] of fields.entries()) {
    const { offset } = record.members[at]!;
    const step = bytesOfType(member);
    const values =
      member === 'string'
        ? to.textReferences(key, packStrings(textsOf(files, key, { from, rows, width, source, bytes })))
        : undefined;
    for (let row = 0; row < rows; row++) {
      const start = row * width + source;
      const value = values
        ? values.subarray(row * step, (row + 1) * step)
        : from.subarray(start, start + bytes);
      out.set(value, row * record.bytes + offset);
    }
    source += bytes;
  }
  return {
    kind: 'array',
    type,
    shape,
    attributes,
    content: { address: to.append(key, out), length: out.length },
  };
}

/** Texts of UTF-32, filled with NUL. */
function textsOf(
  files: ZarrFiles,
  key: string,
  place: { from: Uint8Array; rows: number; width: number; source: number; bytes: number },
): string[] {
  const { from, rows, width, source, bytes } = place;
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  return Array.from({ length: rows }, (_, row) => {
    const codes: number[] = [];
    for (let at = 0; at < bytes; at += 4) codes.push(view.getUint32(row * width + source + at, true));
    const end = codes.findLastIndex((code) => code !== 0) + 1;
    const text = codes.slice(0, end);
    if (text.some((code) => code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00)))
      throw unreadable(files, key, 'one of its texts holds what is no character');
    return String.fromCodePoint(...text);
  });
}

function recordFields(type: unknown): Field[] | undefined {
  const listed = Array.isArray(type) ? (type as unknown[]) : configurationOf(type)['fields'];
  if (!Array.isArray(listed)) return undefined;
  const fields = (listed as unknown[]).map((field) => {
    if (Array.isArray(field)) return field.length === 2 ? fieldOf(String(field[0]), field[1]) : undefined;
    const { name, data_type } = field as { name: unknown; data_type: unknown };
    return fieldOf(String(name), data_type);
  });
  // HDF5 ends a name at a NUL.
  const isWhole = fields.every((field) => field !== undefined && !/^$|\0/.test(field.name));
  return isWhole ? (fields as Field[]) : undefined;
}

const numberKinds = new Map([
  ['i', 'int'],
  ['u', 'uint'],
  ['f', 'float'],
]);

function fieldOf(name: string, type: unknown): Field | undefined {
  const { length_bytes } = configurationOf(type);
  if (typeof type !== 'string') {
    const bytes = Number(length_bytes);
    if (!Number.isSafeInteger(bytes) || bytes <= 0) return undefined;
    switch ((type as { name?: unknown } | undefined)?.name) {
      case 'fixed_length_utf32':
        return bytes % 4 === 0 ? { name, type: 'string', bytes } : undefined;
      case 'null_terminated_bytes':
        return { name, type: { text: bytes }, bytes };
    }
    return undefined;
  }
  const [, kind = '', size = ''] = /^[<|]([iufbSU])(\d+)$/.exec(type) ?? [];
  const bytes = Number(size);
  if (kind === 'U') return bytes > 0 ? { name, type: 'string', bytes: 4 * bytes } : undefined;
  if (kind === 'S') return bytes > 0 ? { name, type: { text: bytes }, bytes } : undefined;
  const named = kind === 'b' ? 'bool' : kind === '' ? type : `${numberKinds.get(kind)}${bytes * 8}`;
  if (named === 'float16') return { name, type: named, bytes: 2 };
  return named !== 'string' && Object.hasOwn(elementBytes, named)
    ? { name, type: named as MemberType, bytes: elementBytes[named as keyof typeof elementBytes] }
    : undefined;
}

function configurationOf(type: unknown): Record<string, unknown> {
  const { configuration } = (type ?? {}) as { configuration?: Record<string, unknown> };
  return configuration ?? {};
}
