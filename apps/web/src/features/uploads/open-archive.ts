import {
  fileSize,
  isPackedTar,
  isSystemFile,
  listExtensions,
  roundFileSize,
  uploadKind,
} from '@cellfolio/contract';
import { formatCount, nameList } from '@/lib/format.ts';
import type { FilesOfFolders } from './folders/chosen-folders.ts';
import { folderPlan } from './folders/folder-plan.ts';
import { zipFiles } from './folders/zip-files.ts';

export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/** The same limit as for archives behind links. */
const maxMembers = 10_000;
/** Maximum ratio of unpacked to packed size; archives of data stay below it. */
const maxRatio = 100;
const minRoom = 100 * 2 ** 20;
const block = 512;
/** Maximum bytes of an extended header's text; names are far shorter. */
const maxExtended = 2 ** 20;

export function isArchive(name: string): boolean {
  return /\.tar$/i.test(name) || isPackedTar(name);
}

/**
 * Reads the files of a .tar, .tar.gz or .tgz archive, as if a folder of its name had been chosen. Members of an
 * unpacked archive are ranges of it: only headers are read. A packed one is first unpacked into browser memory, up to
 * `maxBytes` bytes. Throws ArchiveRefused.
 */
export async function openArchive(archive: File, maxBytes: number | null): Promise<FilesOfFolders> {
  const whole = isPackedTar(archive.name) ? await unpacked(archive, maxBytes ?? Infinity) : archive;
  const folder = archive.name.replace(/\.(?:tar|tar\.gz|tgz)$/i, '');
  const members = new Map<string, Member>();
  const unreadable: string[] = [];
  const twice: string[] = [];
  for (const member of await membersOf(whole)) {
    const { path, size, isFile } = member;
    const parts = path.split('/').filter((part) => !/^\.{0,2}$/.test(part));
    const below = [folder, ...parts].join('/');
    if (!isFile || size === 0 || uploadKind(below) === undefined) unreadable.push(path);
    else if (members.has(below)) twice.push(path);
    else members.set(below, member);
  }
  const leftOut = [
    ...(unreadable.length > 0
      ? [`Skipped, as only ${listExtensions('and')} files can be uploaded: ${nameList(unreadable)}.`]
      : []),
    ...(twice.length > 0 ? [`Skipped, as another file has the same name: ${nameList(twice)}.`] : []),
  ];
  const { taken, packed, notes } = folderPlan([...members.keys()], [folder], true);
  if (taken.length + packed.length === 0)
    throw new ArchiveRefused(leftOut.join(' ') || 'The archive is empty.');
  const { lastModified } = archive;
  const memberFile = (path: string, name: string) => {
    const { offset, size } = members.get(path)!;
    return new File([whole.slice(offset, offset + size)], name, { lastModified });
  };
  return {
    files: [
      ...taken.map(({ path, name }) => memberFile(path, name)),
      ...(await zipFiles(packed, async (path) => memberFile(path, path))),
    ],
    refused: [],
    notes: [...notes, ...leftOut],
  };
}

async function unpacked(archive: File, maxBytes: number): Promise<Blob> {
  const room = Math.min(maxBytes, Math.max(minRoom, maxRatio * archive.size));
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes > room) controller.error(new ArchiveRefused(tooLarge(room, maxBytes)));
      else controller.enqueue(piece);
    },
  });
  try {
    const gzip = new DecompressionStream('gzip');
    return await new Response(archive.stream().pipeThrough(gzip).pipeThrough(limit)).blob();
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw new ArchiveRefused(
      `It could not be unpacked after ${fileSize(bytes)}: it is damaged, cut short, or too large for this browser. Unpack it yourself and choose the files, or paste its address under Fetch from a Link.`,
      { cause: error },
    );
  }
}

function tooLarge(room: number, maxBytes: number): string {
  return room === maxBytes
    ? `It unpacks to more than the ${roundFileSize(maxBytes)} of your storage. Unpack it, and choose the files you want.`
    : `It unpacks to more than ${maxRatio} times its size. Check how it was made, or unpack it and choose the files.`;
}

interface Member {
  path: string;
  offset: number;
  size: number;
  /** Not a link, device or sparse file. */
  isFile: boolean;
}

/** Reads headers of ustar, pax and GNU tar. Throws ArchiveRefused. */
async function membersOf(archive: Blob): Promise<Member[]> {
  const members: Member[] = [];
  let next: ReadonlyMap<string, string> = new Map();
  let at = 0;
  while (at + block <= archive.size) {
    const header = await bytesOf(archive, at, block);
    if (header.every((byte) => byte === 0)) break;
    if (!isHeader(header)) throw damaged('its headers are not those of a .tar archive');
    const type = String.fromCharCode(header[156]!);
    const size = Number(next.get('size') ?? numberIn(header, 124, 12));
    const offset = at + block;
    if (offset + size > archive.size) throw damaged('it ends before its last file does');
    at = offset + Math.ceil(size / block) * block;
    if ('xLK'.includes(type)) {
      if (size > maxExtended) throw damaged('one of its names has no end');
      const text = await bytesOf(archive, offset, size);
      if (type === 'x') next = new Map([...next, ...paxFields(text)]);
      if (type === 'L') next = new Map([...next, ['path', textOf(text)]]);
      continue;
    }
    const path = next.get('path') ?? nameIn(header);
    const isSparse = [...next.keys()].some((key) => key.startsWith('GNU.sparse.'));
    next = new Map();
    if (type === 'g' || type === '5' || path.endsWith('/') || isSystemFile(path)) continue;
    if (members.length >= maxMembers)
      throw new ArchiveRefused(
        `It has more than ${formatCount(maxMembers)} files. Unpack it, and choose the files you want.`,
      );
    members.push({ path, offset, size, isFile: '\0 07'.includes(type) && !isSparse });
  }
  return members;
}

function damaged(problem: string): ArchiveRefused {
  return new ArchiveRefused(`The archive is damaged: ${problem}. Pack it again, or choose the files in it.`);
}

async function bytesOf(archive: Blob, from: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await archive.slice(from, from + length).arrayBuffer());
}

/** Verifies the header checksum: the sum of all bytes, with the checksum field counted as blanks. */
function isHeader(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, place) => total + (place >= 148 && place < 156 ? 32 : byte), 0);
  return sum === numberIn(header, 148, 8);
}

/** Octal digits, or base 256 for large numbers, which a first bit marks. */
function numberIn(header: Uint8Array, from: number, length: number): number {
  const field = header.subarray(from, from + length);
  if ((field[0]! & 0x80) === 0) return Number.parseInt(textOf(field).trim() || '0', 8);
  return field.reduce((value, byte, place) => value * 256 + (place === 0 ? byte & 0x7f : byte), 0);
}

function nameIn(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  const prefix = textOf(header.subarray(257, 263)) === 'ustar' ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Records `30 path=…\n`, each prefixed with its length. */
function paxFields(text: Uint8Array): [string, string][] {
  const fields: [string, string][] = [];
  for (let at = 0; at < text.length;) {
    const length = Number.parseInt(textOf(text.subarray(at, at + 20)), 10);
    if (!(length > 0)) break;
    const record = textOf(text.subarray(at, at + length))
      .replace(/^\d+ /, '')
      .replace(/\n$/, '');
    const equals = record.indexOf('=');
    fields.push([record.slice(0, equals), record.slice(equals + 1)]);
    at += length;
  }
  return fields;
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
