import { extract, type Header } from 'tar-stream';
import { countText, isSystemFile, quotedHead } from '@cellfolio/model';
import { LinkFailed } from './linked-datasets.ts';

/** A file in an archive, with the range of its bytes. */
export interface TarMember {
  name: string;
  offset: number;
  bytes: number;
}

export interface TarArchive {
  shown: string;
  /** Infinite until known, that is until a read returned less than requested. */
  bytes: number;
  /** Reads `length` bytes from `offset`, or fewer at the end; offsets never decrease between calls. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** `refused` holds the members that cannot be used, each with the reason. */
export interface TarMembers {
  members: readonly TarMember[];
  refused: readonly string[];
}

/** Bytes per read: headers and the small files between them; larger files are skipped. */
const windowBytes = 65_536;
const maxMembers = 10_000;
const maxName = 1000;
const block = 512;

/**
 * Lists the files of an archive without reading their bytes. Throws LinkFailed when it is damaged, truncated or has too
 * many members.
 */
export async function tarMembers(archive: TarArchive): Promise<TarMembers> {
  const { shown } = archive;
  const members = new Map<string, TarMember>();
  const refused: string[] = [];
  const failed = (problem: string) => new LinkFailed('unreadable', `${shown} ${problem}`);
  const early = (name: string) =>
    failed(`ends within ${quotedHead(name)}: it is incomplete. Download it again.`);
  let last = { name: '', end: 0 };
  for (let at = 0; at < archive.bytes;) {
    const window = await archive.read(at, Math.min(windowBytes, archive.bytes - at));
    if (last.end > archive.bytes) throw early(last.name);
    const headers = await headersIn(window);
    if (headers.length === 0) {
      if (members.size + refused.length > 0 && window.every((byte) => byte === 0)) break;
      throw failed(
        at === 0
          ? 'is not a .tar archive.'
          : `is damaged behind ${quotedHead([...members.keys()].at(-1) ?? '')}, at byte ${at}. Download it again.`,
      );
    }
    const from = at;
    for (const header of headers) {
      const { name, size = 0, type } = header;
      const offset = from + header.byteOffset;
      at = offset + (type === 'directory' ? 0 : Math.ceil(size / block) * block);
      if (type !== 'directory') last = { name, end: offset + size };
      if (last.end > archive.bytes) throw early(last.name);
      if (members.size + refused.length >= maxMembers)
        throw failed(
          `has more than ${countText(maxMembers)} members. Unpack it, and add the files you want.`,
        );
      if (type === 'directory' || isSystemFile(name)) continue;
      const problem = members.has(name) ? 'two files have this name' : problemOf(header);
      if (problem === undefined) members.set(name, { name, offset, bytes: size });
      else refused.push(`${name.slice(0, maxName)} (${problem})`);
    }
  }
  return { members: [...members.values()], refused };
}

/** `byteOffset` is where the content begins. */
type PlacedHeader = Header & { byteOffset: number };

/** Headers of the members that begin in these bytes; the bytes begin with a header. */
function headersIn(bytes: Uint8Array): Promise<PlacedHeader[]> {
  const headers: PlacedHeader[] = [];
  const reader = extract();
  return new Promise((resolve) => {
    reader.on('entry', (header, body, next) => {
      headers.push(header as PlacedHeader);
      body.on('end', next).on('error', () => undefined);
      body.resume();
    });
    // These bytes may end within a member; a fault of a member is reported where it begins.
    reader.on('error', () => undefined);
    reader.on('close', () => resolve(headers));
    reader.end(bytes);
  });
}

/** Why a member cannot be used; undefined for a regular file. */
function problemOf({ name, type, size = 0, pax }: Header): string | undefined {
  if (type === 'link' || type === 'symlink') return 'a link, not a file';
  if (type === 'fifo' || type === 'character-device' || type === 'block-device')
    return 'a device, not a file';
  const isSparse = Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  if ((type !== 'file' && type !== 'contiguous-file') || isSparse)
    return 'stored as a sparse file or in another unsupported form';
  // oxlint-disable-next-line no-control-regex -- What is not to be in a name.
  if (name === '' || name.length > maxName || /[\u0000-\u001f\\]/.test(name)) return 'no usable name';
  if (/^(?:\/|[a-z]:)/i.test(name) || name.split('/').includes('..'))
    return 'its name leads out of the archive';
  return size === 0 ? 'empty' : undefined;
}
