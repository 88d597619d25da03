import { ByteWriter } from './byte-writer.ts';
import { lookup3 } from './checksum.ts';
import { attributeInfo, maxMessageBytes, type Message, objectHeader } from './h5-messages.ts';

/** An identifier in the heap: its kind (huge) and seven bytes of its number. */
const idBytes = 8;
const hugeKind = 0x10;

const hugeTree = { type: 1, recordBytes: 24 };
const nameTree = { type: 8, recordBytes: 17 };

const treeHeadBytes = 38;
const heapHeadBytes = 146;
/** Signature, version, type and checksum of a leaf. */
const leafFrameBytes = 10;

/**
 * An object header with its attributes, followed by those that no header can have: an attribute of more than 64 KiB,
 * such as the names of thousands of columns, makes HDF5 keep all attributes of the object in a fractal heap (III.G of the
 * file format), found by a version 2 B-tree of their names (III.A.2). Each is a “huge” object of the heap, whose place
 * is in a B-tree too. `address` is that of the header; the length does not depend on it. Throws TooLongForHdf5.
 */
export function objectWithAttributes(
  own: readonly Message[],
  attributes: readonly (readonly [name: string, message: Message])[],
  { address, what }: { address: number; what: string },
): Uint8Array {
  const messages = attributes.map(([, message]) => message);
  if (messages.every(({ bytes }) => bytes.length <= maxMessageBytes))
    return objectHeader([...own, ...messages], what);
  const headed = (heap: number, index: number) => objectHeader([...own, attributeInfo(heap, index)], what);
  const heap = address + headed(0, 0).length;
  const objects: { place: number; length: number; id: number }[] = [];
  const names: { id: number; hash: number }[] = [];
  const trees = heap + heapHeadBytes;
  let end = trees + treeBytes(hugeTree, attributes.length) + treeBytes(nameTree, attributes.length);
  for (const [at, [name, { bytes }]] of attributes.entries()) {
    objects.push({ place: end, length: bytes.length, id: at + 1 });
    names.push({ id: at + 1, hash: lookup3(new TextEncoder().encode(name)) });
    end += bytes.length;
  }
  names.sort((one, other) => one.hash - other.hash);
  const bytes = new ByteWriter().putBytes(headed(heap, trees + treeBytes(hugeTree, attributes.length)));
  const total = objects.reduce((sum, { length }) => sum + length, 0);
  bytes.putBytes(heapHead(trees, { total, count: objects.length }));
  const places = objects.map(({ place, length, id }) => new ByteWriter().put(8, place, length, id).bytes());
  bytes.putBytes(tree(hugeTree, places, trees));
  const nameRecords = names.map(({ id, hash }) =>
    // An identifier, no flags, no order of creation, and the checksum of the name.
    new ByteWriter().put(1, hugeKind).put(4, id).put(1, 0, 0, 0, 0).put(4, 0, hash).bytes(),
  );
  bytes.putBytes(tree(nameTree, nameRecords, trees + treeBytes(hugeTree, attributes.length)));
  for (const message of messages) bytes.putBytes(message.bytes);
  return bytes.bytes();
}

/** Head of a heap that has no blocks, only huge objects; the sizes of blocks are those of the HDF5 library. */
function heapHead(hugeTreeAddress: number, huge: { total: number; count: number }): Uint8Array {
  const head = new ByteWriter().putText('FRHP').put(1, 0).put(2, idBytes, 0).put(1, 2).put(4, 4096);
  head.put(8, huge.count + 1, hugeTreeAddress);
  // Free space of the blocks and who manages it; size, allocated size, position and number of their objects.
  head.put(8, 0).putNoAddress().put(8, 0, 0, 0, 0);
  head.put(8, huge.total, huge.count, 0, 0);
  head.put(2, 4).put(8, 1024, 65_536).put(2, 40, 1).putNoAddress().put(2, 0);
  return head.put(4, lookup3(head.bytes())).bytes();
}

function treeBytes({ recordBytes }: { recordBytes: number }, records: number): number {
  return treeHeadBytes + leafFrameBytes + records * recordBytes;
}

/** A version 2 B-tree of one leaf, as large as it has to be. */
function tree(
  { type, recordBytes }: { type: number; recordBytes: number },
  records: readonly Uint8Array[],
  address: number,
): Uint8Array {
  const nodeBytes = leafFrameBytes + records.length * recordBytes;
  const head = new ByteWriter().putText('BTHD').put(1, 0, type).put(4, nodeBytes).put(2, recordBytes, 0);
  head
    .put(1, 100, 40)
    .put(8, address + treeHeadBytes)
    .put(2, records.length)
    .put(8, records.length);
  const leaf = new ByteWriter().putText('BTLF').put(1, 0, type);
  for (const record of records) leaf.putBytes(record);
  return new ByteWriter()
    .putBytes(head.bytes())
    .put(4, lookup3(head.bytes()))
    .putBytes(leaf.bytes())
    .put(4, lookup3(leaf.bytes()))
    .bytes();
}
