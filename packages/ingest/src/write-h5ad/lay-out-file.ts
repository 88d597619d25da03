import { type PackedStrings, packStrings } from '@cellfolio/model';
import { ByteWriter } from './byte-writer.ts';
import { objectWithAttributes } from './dense-attributes.ts';
import {
  arrayMessages,
  attributeMessage,
  bytesOfType,
  groupMessages,
  type MemberType,
  type Stored,
  type StoredType,
  superblock,
  superblockBytes,
} from './h5-messages.ts';
import { heapSizes, rowsPerHeap, stringHeaps, stringReferences } from './string-heap.ts';

export type AttributeValue =
  | string
  | readonly string[]
  | { int64: readonly number[] }
  | { bool: boolean }
  | NumberAttribute;

/** Numbers of any type and shape, as their bytes; without a shape it is null. */
export interface NumberAttribute {
  readonly type: MemberType;
  readonly shape: readonly number[] | undefined;
  readonly bytes: Uint8Array;
}

type Attributes = Readonly<Record<string, AttributeValue>>;

export type H5Node<Source> = H5Group<Source> | H5Array<Source>;

export interface H5Group<Source> {
  kind: 'group';
  attributes: Attributes;
  /** In file order; names contain no slashes. */
  members: ReadonlyMap<string, H5Node<Source>>;
}

export interface H5Array<Source> {
  kind: 'array';
  attributes: Attributes;
  type: StoredType;
  shape: readonly number[];
  /** Has no values, as `None` of Python. */
  isNull?: true;
  /** Bytes and strings in memory, values that come later, or those that are in the file already. */
  content: Uint8Array | PackedStrings | Streamed<Source> | Stored;
}

interface Streamed<Source> {
  source: Source;
  /** Strings only: `heapSizes` of all rows. */
  heapSizes?: Float64Array;
}

export type StreamedPart<Source> =
  | { readonly source: Source; readonly of: 'values' }
  | { readonly source: Source; readonly of: 'heaps'; readonly sizes: Float64Array }
  | { readonly source: Source; readonly of: 'references'; readonly heapAddresses: Float64Array };

/** Byte range of a file. Gaps between parts are a few zeros. */
export interface FilePart<Source> {
  readonly offset: number;
  readonly length: number;
  readonly content: Uint8Array | StreamedPart<Source>;
}

export interface FileLayout<Source> {
  readonly bytes: number;
  /** Sorted by offset. */
  readonly parts: readonly FilePart<Source>[];
}

/**
 * Lays out an HDF5 file before any large array is read: every byte has its offset, so the file can be sent while it is
 * made, and from any offset on. Headers come first, followed by the uncompressed arrays, in order. `from`: first free
 * byte of a file that has some arrays already. Throws TooLongForHdf5.
 */
export function layOutFile<Source>(root: H5Group<Source>, from = superblockBytes): FileLayout<Source> {
  const texts = new AttributeTexts();
  const objects = objectsOf(root, '');
  for (const { node } of objects) texts.collect(node.attributes);
  const heap = texts.heap(from);
  let end = from + heap.length;
  const addresses = new Map<H5Node<Source>, number>();
  const places = new Map<H5Node<Source>, Stored>();
  for (const object of objects) {
    const { node } = object;
    if (node.kind === 'array' && isStored(node.content)) places.set(node, node.content);
    addresses.set(node, end);
    end = whole8(end + bytesOf(object, texts, { addresses: new Map(), places }).length);
  }
  const headEnd = end;
  const parts: FilePart<Source>[] = [];
  for (const { node } of objects) {
    if (node.kind === 'group' || isStored(node.content)) continue;
    places.set(node, { address: end, length: lengthOf(node) });
    for (const part of partsOf(node, node.content, end)) {
      parts.push(part);
      end = whole8(part.offset + part.length);
    }
  }
  const head = new Uint8Array(headEnd - from);
  head.set(heap);
  for (const object of objects)
    head.set(bytesOf(object, texts, { addresses, places }), addresses.get(object.node)! - from);
  const start = superblock(addresses.get(root)!, end);
  return {
    bytes: end,
    parts: [
      { offset: 0, length: start.length, content: start },
      { offset: from, length: head.length, content: head },
      ...parts,
    ],
  };
}

interface PathedNode<Source> {
  path: string;
  node: H5Node<Source>;
}

function objectsOf<Source>(node: H5Node<Source>, path: string): PathedNode<Source>[] {
  if (node.kind === 'array') return [{ path, node }];
  const members = [...node.members].flatMap(([name, member]) => objectsOf(member, `${path}/${name}`));
  return [{ path, node }, ...members];
}

/** The length does not depend on the addresses. */
function bytesOf<Source>(
  { path, node }: PathedNode<Source>,
  texts: AttributeTexts,
  {
    addresses,
    places,
  }: {
    addresses: ReadonlyMap<H5Node<Source>, number>;
    places: ReadonlyMap<H5Node<Source>, Stored>;
  },
): Uint8Array {
  const own =
    node.kind === 'array'
      ? arrayMessages(
          node.type,
          node.isNull ? undefined : node.shape,
          places.get(node) ?? { address: 0, length: 0 },
        )
      : groupMessages([...node.members].map(([name, member]) => [name, addresses.get(member) ?? 0]));
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => [name, texts.message(name, value)] as const,
  );
  return objectWithAttributes(own, attributes, {
    address: addresses.get(node) ?? 0,
    what: path === '' ? 'the list of what the file holds' : path.slice(1),
  });
}

function isStored(content: object): content is Stored {
  return 'address' in content || 'tree' in content;
}

function lengthOf<Source>({ type, shape, isNull }: H5Array<Source>): number {
  if (isNull) return 0;
  return shape.reduce((count, length) => count * length, bytesOfType(type));
}

/** Bytes of all values of a node, with the heaps of its texts. */
export function nodeBytes<Source>(node: H5Node<Source>): number {
  if (node.kind === 'group')
    return Array.from(node.members.values(), nodeBytes<Source>).reduce((sum, bytes) => sum + bytes, 0);
  const { content } = node;
  const heaps = ('source' in content && content.heapSizes) || new Float64Array(0);
  return heaps.reduce((sum, size) => sum + size, lengthOf(node));
}

function partsOf<Source>(
  node: H5Array<Source>,
  content: Uint8Array | PackedStrings | Streamed<Source>,
  offset: number,
): FilePart<Source>[] {
  const length = lengthOf(node);
  if (length === 0) return [];
  if (content instanceof Uint8Array) return [{ offset, length, content }];
  const sizes = 'source' in content ? content.heapSizes : heapSizes(content);
  if (!sizes) {
    const { source } = content as Streamed<Source>;
    return [{ offset, length, content: { source, of: 'values' } }];
  }
  const heapAddresses = new Float64Array(sizes.length);
  let end = whole8(offset + length);
  const heaps = { offset: end, length: sizes.reduce((sum, size) => sum + size, 0) };
  for (const [heap, size] of sizes.entries()) {
    heapAddresses[heap] = end;
    end += size;
  }
  if (!('source' in content)) {
    return [
      { offset, length, content: stringReferences(content, heapAddresses) },
      { ...heaps, content: stringHeaps(content) },
    ];
  }
  const { source } = content;
  return [
    { offset, length, content: { source, of: 'references', heapAddresses } },
    { ...heaps, content: { source, of: 'heaps', sizes } },
  ];
}

class AttributeTexts {
  readonly #places = new Map<string, number>();
  #addresses = new Float64Array(0);

  collect(attributes: Attributes): void {
    for (const value of Object.values(attributes)) {
      if (typeof value !== 'string' && !Array.isArray(value)) continue;
      for (const text of typeof value === 'string' ? [value] : (value as readonly string[])) {
        if (!this.#places.has(text)) this.#places.set(text, this.#places.size);
      }
    }
  }

  heap(address: number): Uint8Array {
    const strings = packStrings([...this.#places.keys()]);
    const sizes = heapSizes(strings);
    this.#addresses = sizes.slice();
    let end = address;
    for (const [heap, size] of sizes.entries()) {
      this.#addresses[heap] = end;
      end += size;
    }
    return stringHeaps(strings);
  }

  message(name: string, value: AttributeValue) {
    if (typeof value === 'string') return attributeMessage(name, 'string', [], this.#references([value]));
    if ('int64' in value) {
      const { buffer } = BigInt64Array.from(value.int64, BigInt);
      return attributeMessage(name, 'int64', [value.int64.length], new Uint8Array(buffer));
    }
    if ('bytes' in value) return attributeMessage(name, value.type, value.shape, value.bytes);
    if ('bool' in value) return attributeMessage(name, 'bool', [], Uint8Array.of(value.bool ? 1 : 0));
    // An empty list has no element that shows its type: anndata writes it as float64, so do we.
    if (value.length === 0) return attributeMessage(name, 'float64', [0], new Uint8Array(0));
    return attributeMessage(name, 'string', [value.length], this.#references(value));
  }

  #references(texts: readonly string[]): Uint8Array {
    const bytes = new ByteWriter();
    for (const text of texts) {
      const place = this.#places.get(text)!;
      const length = Math.max(1, new TextEncoder().encode(text).length);
      bytes.put(4, length).put(8, this.#addresses[Math.floor(place / rowsPerHeap)]!);
      bytes.put(4, (place % rowsPerHeap) + 1);
    }
    return bytes.bytes();
  }
}

function whole8(length: number): number {
  return Math.ceil(length / 8) * 8;
}
