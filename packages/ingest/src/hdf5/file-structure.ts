import { readSync } from 'node:fs';

export const messageTypes = {
  linkInfo: 2,
  datatype: 3,
  link: 6,
  externalFiles: 7,
  layout: 8,
  continuation: 16,
  symbolTable: 17,
} as const;

export interface Message {
  type: number;
  body: Buffer;
  /** The body is a reference to a shared message. */
  shared: boolean;
}

const undefinedAddress = 0xffff_ffff_ffff_ffffn;
/** Maximum blocks examined per dataset: a block has 64 chunks. */
const maxBlocks = 262_144;
/** Maximum size of all messages of an object: those of a group of some hundred thousand columns are the largest. */
const maxHeaderBytes = 2 ** 24;
/**
 * Maximum bytes read from the structure per byte of the file, and for any file: a directory is read again for each
 * column, and cyclic references would be read forever.
 */
const maxReadings = 64;
const harmlessReadings = 2 ** 24;

/**
 * Groups, object headers and trees of an HDF5 file (File Format Specification 3.0), limited to the variants in files of
 * the field. Throws RangeError for missing or unsupported structures.
 */
export class FileStructure {
  readonly #descriptor: number;
  readonly #fileBytes: number;
  /** By header position of the group; `end`: why reading its links stopped. */
  readonly #links = new Map<number, { headers: Map<string, number | undefined>; end?: RangeError }>();
  #blocks = 0;
  #bytes = 0;

  constructor(descriptor: number, fileBytes: number) {
    this.#descriptor = descriptor;
    this.#fileBytes = fileBytes;
  }

  get fileBytes(): number {
    return this.#fileBytes;
  }

  object(path: string): Message[] {
    this.#blocks = 0;
    let header = this.#root();
    for (const name of path.split('/').filter(Boolean))
      header = required(this.#member(required(header), name));
    return this.messages(required(header));
  }

  #root(): number | undefined {
    const block = this.#block(0, 96);
    const version = block[8]!;
    const [sizes, base, root] = version <= 1 ? [13, 24 + 4 * version, 64 + 4 * version] : [9, 12, 36];
    const plain = version <= 3 && block[sizes] === 8 && block[sizes + 1] === 8;
    if (!plain || address(block, base) !== 0) return undefined;
    return address(block, root);
  }

  /** Header position of a named member of a group. Throws RangeError if reading its links stopped before it. */
  #member(group: number, name: string): number | undefined {
    let links = this.#links.get(group);
    if (links === undefined) {
      links = { headers: new Map() };
      this.#links.set(group, links);
      try {
        // Once for all: a table of some thousand columns is a group of as many.
        for (const link of this.#linksOf(this.messages(group)))
          if (!links.headers.has(link.name)) links.headers.set(link.name, link.header);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        links.end = error;
      }
    }
    if (links.end !== undefined && !links.headers.has(name)) throw links.end;
    return links.headers.get(name);
  }

  *#linksOf(group: readonly Message[]): Generator<Link> {
    for (const { type, body } of group) {
      if (type === messageTypes.link) {
        const link = hardLink(body);
        if (link !== undefined) yield link;
      }
      if (type === messageTypes.linkInfo) yield* this.#denseLinks(body);
      if (type === messageTypes.symbolTable) {
        const [tree, heap] = [address(body, 0), address(body, 8)];
        if (tree === undefined || heap === undefined) return;
        const names = this.#heap(heap);
        if (names !== undefined) yield* this.#symbols(tree, names, 255);
        return;
      }
    }
  }

  /** More than eight links are stored in a heap, with a version 2 B-tree that indexes their names. */
  *#denseLinks(info: Buffer): Generator<Link> {
    const at = info[1]! & 1 ? 10 : 2;
    const [heap, index] = [address(info, at), address(info, at + 8)];
    if (heap === undefined || index === undefined) return;
    const head = this.#block(heap, 142);
    const tree = this.#block(index, 34);
    const [block, leaf] = [address(head, 132), address(tree, 16)];
    const simple = head.readUInt16LE(7) === 0 && head.readUInt16LE(140) === 0 && tree.readUInt16LE(12) === 0;
    if (!simple || block === undefined || leaf === undefined) return;
    const idBytes = head.readUInt16LE(5);
    const offsetBytes = Math.min(6, Math.ceil(head.readUInt16LE(128) / 8));
    const links = this.#block(block, Number(head.readBigUInt64LE(112)));
    const records = this.#block(leaf + 6, tree.readUInt16LE(24) * (4 + idBytes));
    for (let record = 0; record < records.length; record += 4 + idBytes) {
      const link = hardLink(links.subarray(records.readUIntLE(record + 5, offsetBytes)));
      if (link?.header !== undefined) yield link;
    }
  }

  *#symbols(place: number, names: Buffer, maxLevel: number): Generator<Link> {
    const { level, entries, block } = this.tree(place, 0, 8);
    if (level > maxLevel) return;
    for (let entry = 0; entry < entries; entry++) {
      const child = address(block, 32 + entry * 16);
      if (child === undefined) return;
      if (level > 0) yield* this.#symbols(child, names, level - 1);
      else yield* this.#symbolsIn(child, names);
    }
  }

  *#symbolsIn(place: number, names: Buffer): Generator<Link> {
    const head = this.#block(place, 8);
    const count = head.readUInt16LE(6);
    if (head.toString('latin1', 0, 4) !== 'SNOD') return;
    const block = this.#block(place + 8, count * 40);
    for (let at = 0; at < block.length; at += 40) {
      const from = Number(block.readBigUInt64LE(at));
      const header = address(block, at + 8);
      if (header !== undefined) yield { name: names.toString('utf8', from, names.indexOf(0, from)), header };
    }
  }

  #heap(place: number): Buffer | undefined {
    const head = this.#block(place, 32);
    const data = address(head, 24);
    if (head.toString('latin1', 0, 4) !== 'HEAP' || data === undefined) return undefined;
    return this.#block(data, Number(head.readBigUInt64LE(8)));
  }

  tree(place: number, kind: number, keyBytes: number): { level: number; entries: number; block: Buffer } {
    const head = this.#block(place, 24);
    const entries = head.readUInt16LE(6);
    if (head.toString('latin1', 0, 4) !== 'TREE' || head[4] !== kind) throw new RangeError('no tree');
    return { level: head[5]!, entries, block: this.#block(place, 24 + entries * (keyBytes + 8) + keyBytes) };
  }

  messages(header: number): Message[] {
    const messages: Message[] = [];
    const head = this.#block(header, 32, 16);
    const second = head.toString('latin1', 0, 4) === 'OHDR';
    if (!second && head[0] !== 1) return messages;
    const flags = second ? head[5]! : 0;
    const times = flags & 0x20 ? 16 : 0;
    const phases = flags & 0x10 ? 4 : 0;
    const sizeAt = 6 + times + phases;
    const start = second ? sizeAt + (1 << (flags & 3)) : 16;
    const size = second ? head.readUIntLE(sizeAt, Math.min(6, 1 << (flags & 3))) : head.readUInt32LE(8);
    const headerBytes = second ? 4 + (flags & 4 ? 2 : 0) : 8;
    const blocks = [this.#block(header + start, size)];
    let bytes = 0;
    for (let next = blocks.shift(); next; next = blocks.shift()) {
      // Each continuation may say that another follows, or that it follows itself.
      bytes += next.length;
      if (bytes > Math.min(maxHeaderBytes, this.#fileBytes)) throw new RangeError('too much');
      for (let at = 0; at + headerBytes <= next.length;) {
        const type = second ? next[at]! : next.readUInt16LE(at);
        const length = next.readUInt16LE(at + (second ? 1 : 2));
        const shared = (next[at + (second ? 3 : 4)]! & 2) !== 0;
        const body = next.subarray(at + headerBytes, at + headerBytes + length);
        at += headerBytes + length;
        messages.push({ type, body, shared });
        if (type !== messageTypes.continuation) continue;
        const place = address(body, 0);
        const more = Number(body.readBigUInt64LE(8));
        if (place === undefined) return [];
        // Between a signature and a checksum in newer files.
        blocks.push(second ? this.#block(place + 4, more - 8) : this.#block(place, more));
      }
    }
    return messages;
  }

  /** Throws RangeError beyond the end of the file. */
  bytes(at: number, bytes: number): Buffer {
    return this.#block(at, bytes);
  }

  /** Throws RangeError if the file has fewer than `minBytes` of the bytes. */
  #block(at: number, bytes: number, minBytes = bytes): Buffer {
    if (++this.#blocks > maxBlocks || !(bytes >= 0 && bytes <= maxHeaderBytes))
      throw new RangeError('too much');
    if (!(at + minBytes <= this.#fileBytes)) throw new RangeError('past the end');
    this.#bytes += bytes;
    if (this.#bytes > harmlessReadings + maxReadings * this.#fileBytes) throw new RangeError('too much');
    const block = Buffer.alloc(bytes);
    if (readSync(this.#descriptor, block, 0, bytes, at) < minBytes) throw new RangeError('past the end');
    return block;
  }
}

interface Link {
  name: string;
  header: number | undefined;
}

function hardLink(body: Buffer): Link | undefined {
  const flags = body[1]!;
  let at = 2;
  if (flags & 8 && body[at++] !== 0) return undefined;
  if (flags & 4) at += 8;
  if (flags & 16) at++;
  const bytes = 1 << (flags & 3);
  const length = body.readUIntLE(at, Math.min(6, bytes));
  at += bytes;
  return { name: body.toString('utf8', at, at + length), header: address(body, at + length) };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('not found');
  return value;
}

export function address(block: Buffer, at: number): number | undefined {
  const value = block.readBigUInt64LE(at);
  return value === undefinedAddress || value > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(value);
}
