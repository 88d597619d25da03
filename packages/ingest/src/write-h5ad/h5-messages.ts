import type { NumericType } from '@cellfolio/model';
import { ByteWriter } from './byte-writer.ts';
import { lookup3 } from './checksum.ts';

/**
 * Messages of object headers, per the HDF5 File Format Specification (version 3.0), for files of HDF5 1.8 and later.
 */
export interface Message {
  type: number;
  bytes: Uint8Array;
}

export type ElementType = NumericType | 'bool' | 'string';

/** Type of a member of a record: `text` counts the bytes of texts of one length. */
export type MemberType = ElementType | 'float16' | { readonly text: number };

export interface RecordType {
  readonly bytes: number;
  readonly members: readonly {
    readonly name: string;
    readonly offset: number;
    readonly type: MemberType;
  }[];
}

export type StoredType = MemberType | RecordType;

export const elementBytes: Readonly<Record<ElementType, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
  string: 16,
};

export function bytesOfType(type: StoredType): number {
  if (typeof type !== 'string') return 'text' in type ? type.text : type.bytes;
  return type === 'float16' ? 2 : elementBytes[type];
}

/** A record whose members follow each other without gaps. */
export function packedRecord(members: readonly { name: string; type: MemberType }[]): RecordType {
  let end = 0;
  const placed = members.map(({ name, type }) => {
    const offset = end;
    end += bytesOfType(type);
    return { name, offset, type };
  });
  return { bytes: end, members: placed };
}

export const arrayTypes = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

const messageTypes = {
  dataspace: 1,
  linkInfo: 2,
  datatype: 3,
  fillValue: 5,
  link: 6,
  layout: 8,
  groupInfo: 10,
  filters: 11,
  attribute: 12,
  attributeInfo: 21,
};

/** The size field of a message has two bytes. */
export const maxMessageBytes = 0xffff;

/** Place of an array's bytes: one range, or a version 1 B-tree of chunks, shuffled and deflated if `gzip` is given. */
export type Stored =
  | { readonly address: number; readonly length: number }
  | { readonly tree: number; readonly chunk: readonly number[]; readonly gzip: number | undefined };

/** A name that is too long for HDF5 where AnnData stores it. */
export class TooLongForHdf5 extends Error {
  override readonly name = 'TooLongForHdf5';
  readonly what: string;

  constructor(what: string) {
    super(`${what} is longer than the 64 KiB that HDF5 allows`);
    this.what = what;
  }
}

/** An object header with its checksum; messages must not be longer than `maxMessageBytes`. */
export function objectHeader(messages: readonly Message[], what: string): Uint8Array {
  const body = new ByteWriter();
  for (const { type, bytes } of messages) {
    if (bytes.length > maxMessageBytes) throw new TooLongForHdf5(what);
    body.put(1, type).put(2, bytes.length).put(1, 0).putBytes(bytes);
  }
  // Flags 2: the size of the messages has four bytes.
  const header = new ByteWriter().putText('OHDR').put(1, 2, 2).put(4, body.length).putBytes(body.bytes());
  return header.put(4, lookup3(header.bytes())).bytes();
}

export function superblock(rootAddress: number, fileBytes: number): Uint8Array {
  const block = new ByteWriter()
    .put(1, 0x89)
    .putText('HDF\r\n')
    .put(1, 0x1a, 0x0a)
    .put(1, 2, 8, 8, 0)
    .put(8, 0)
    .putNoAddress()
    .put(8, fileBytes, rootAddress);
  return block.put(4, lookup3(block.bytes())).bytes();
}

export const superblockBytes = 48;

export function groupMessages(links: Iterable<readonly [name: string, address: number]>): Message[] {
  const info = new ByteWriter().put(1, 0, 0).putNoAddress().putNoAddress();
  const messages = [
    { type: messageTypes.linkInfo, bytes: info.bytes() },
    { type: messageTypes.groupInfo, bytes: new Uint8Array(2) },
  ];
  for (const [name, address] of links) {
    const text = new TextEncoder().encode(name);
    if (text.length > maxMessageBytes) throw new TooLongForHdf5('a name');
    // Flags: character set given, length of the name in two bytes.
    const link = new ByteWriter().put(1, 1, 0x11, 1).put(2, text.length).putBytes(text).put(8, address);
    messages.push({ type: messageTypes.link, bytes: link.bytes() });
  }
  return messages;
}

/** Messages of an array; an empty one has no address, and one without a shape is null. */
export function arrayMessages(
  type: StoredType,
  shape: readonly number[] | undefined,
  place: Stored,
): Message[] {
  const layout = new ByteWriter();
  if ('tree' in place) {
    layout.put(1, 3, 2, place.chunk.length + 1).put(8, place.tree);
    layout.put(4, ...place.chunk, bytesOfType(type));
  } else {
    layout.put(1, 3, 1);
    if (place.length === 0) layout.putNoAddress();
    else layout.put(8, place.address);
    layout.put(8, place.length);
  }
  const messages = [
    { type: messageTypes.dataspace, bytes: dataspace(shape) },
    { type: messageTypes.datatype, bytes: datatype(type) },
    // Late allocation, written where it is set: none is.
    { type: messageTypes.fillValue, bytes: Uint8Array.of(3, 0x0a) },
    { type: messageTypes.layout, bytes: layout.bytes() },
  ];
  if (!('tree' in place) || place.gzip === undefined) return messages;
  // Two filters, each with one parameter: shuffle (2) with the bytes of an element, deflate (1) with its level.
  const filters = new ByteWriter().put(1, 2, 2);
  filters.put(2, 2, 0, 1).put(4, bytesOfType(type)).put(2, 1, 0, 1).put(4, place.gzip);
  return [...messages, { type: messageTypes.filters, bytes: filters.bytes() }];
}

/** Says that the attributes are in a heap; see `dense-attributes.ts`. */
export function attributeInfo(heapAddress: number, indexAddress: number): Message {
  const info = new ByteWriter().put(1, 0, 0).put(8, heapAddress, indexAddress);
  return { type: messageTypes.attributeInfo, bytes: info.bytes() };
}

export function attributeMessage(
  name: string,
  type: StoredType,
  shape: readonly number[] | undefined,
  content: Uint8Array,
): Message {
  const text = new TextEncoder().encode(`${name}\0`);
  if (text.length > maxMessageBytes) throw new TooLongForHdf5('a name');
  const kind = datatype(type);
  const space = dataspace(shape);
  const bytes = new ByteWriter().put(1, 3, 0).put(2, text.length, kind.length, space.length).put(1, 1);
  bytes.putBytes(text).putBytes(kind).putBytes(space).putBytes(content);
  return { type: messageTypes.attribute, bytes: bytes.bytes() };
}

function dataspace(shape: readonly number[] | undefined): Uint8Array {
  if (shape === undefined) return Uint8Array.of(2, 0, 0, 2);
  return new ByteWriter()
    .put(1, 2, shape.length, 0, shape.length === 0 ? 0 : 1)
    .put(8, ...shape)
    .bytes();
}

function datatype(type: StoredType): Uint8Array {
  if (typeof type !== 'string') return 'text' in type ? fixedText(type.text) : recordType(type);
  switch (type) {
    case 'string':
      // Class 9, of characters that end with NUL and are UTF-8.
      return new ByteWriter().put(1, 0x19, 1, 1, 0).put(4, 16).putBytes(integer(1, false)).bytes();
    case 'bool':
      // As h5py has it: an enumeration of FALSE and TRUE.
      return new ByteWriter()
        .put(1, 0x18, 2, 0, 0)
        .put(4, 1)
        .putBytes(integer(1, true))
        .putText('FALSE\0\0\0TRUE\0\0\0\0')
        .put(1, 0, 1)
        .bytes();
    case 'float16':
      return new ByteWriter()
        .put(1, 0x11, 0x20, 15, 0)
        .put(4, 2)
        .put(2, 0, 16)
        .put(1, 10, 5, 0, 10)
        .put(4, 15)
        .bytes();
    case 'float32':
      return new ByteWriter()
        .put(1, 0x11, 0x20, 31, 0)
        .put(4, 4)
        .put(2, 0, 32)
        .put(1, 23, 8, 0, 23)
        .put(4, 127)
        .bytes();
    case 'float64':
      return new ByteWriter()
        .put(1, 0x11, 0x20, 63, 0)
        .put(4, 8)
        .put(2, 0, 64)
        .put(1, 52, 11, 0, 52)
        .put(4, 1023)
        .bytes();
    default:
      return integer(elementBytes[type], type.startsWith('int'));
  }
}

/** Class 3, filled with NUL. */
function fixedText(bytes: number): Uint8Array {
  return new ByteWriter().put(1, 0x13, 1, 0, 0).put(4, bytes).bytes();
}

/** Class 6 of version 3, where the place of a member has as few bytes as the size of the record. */
function recordType({ bytes, members }: RecordType): Uint8Array {
  const type = new ByteWriter().put(1, 0x36).put(2, members.length).put(1, 0).put(4, bytes);
  const width = bytes < 1 << 8 ? 1 : bytes < 1 << 16 ? 2 : bytes < 1 << 24 ? 3 : 4;
  for (const { name, offset, type: member } of members) {
    type.putText(`${name}\0`);
    for (let byte = 0; byte < width; byte++) type.put(1, Math.floor(offset / 256 ** byte) % 256);
    type.putBytes(datatype(member));
  }
  return type.bytes();
}

function integer(bytes: number, signed: boolean): Uint8Array {
  return new ByteWriter()
    .put(1, 0x10, signed ? 8 : 0, 0, 0)
    .put(4, bytes)
    .put(2, 0, bytes * 8)
    .bytes();
}
