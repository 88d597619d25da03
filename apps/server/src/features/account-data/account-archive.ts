import { crc32 } from 'node:zlib';
import { type BlobStore, ObjectNotFound } from '@cellfolio/bytes';
import { countText } from '@cellfolio/model';
import { type Database, openStoredObject, signDownload } from '@cellfolio/platform';
import { fileSize } from '@cellfolio/contract';
import { ownerOfUser } from '../../runtime/owners.ts';
import { annotationFiles } from '../annotations/index.ts';
import { type AccountTable, accountTables } from './account-tables.ts';

interface ArchiveDeps {
  database: Database;
  blobs: BlobStore;
}

interface ArchiveRequest {
  userId: string;
  /** Address of the site, for files that are not included. */
  siteUrl: string;
  /** Larger uploaded files are listed with addresses instead of included. */
  maxFileBytes: number;
  signal: AbortSignal;
}

/** Browsers handle an archive of this size; larger files are better downloaded one by one, as each can be resumed. */
export const browserFileBytes = 4 * 10 ** 9;
/** Maximum lifetime of signed file addresses. */
const addressDays = 7;
/** Rows in memory at a time: one has up to 5 MiB. */
const batch = 10;
const chunkCharacters = 64 * 1024;

interface StoredFile {
  name: string;
  original_filename: string;
  bytes: number;
}

/** All data of a user in open formats, as a zip file that is generated while it is sent. */
export function accountArchive(deps: ArchiveDeps, request: ArchiveRequest): AsyncGenerator<Uint8Array> {
  return zipOf(entriesOf(deps, request), new Date());
}

async function* entriesOf(deps: ArchiveDeps, request: ArchiveRequest): AsyncGenerator<ZipEntry> {
  const { database } = deps;
  const { userId, signal } = request;
  const files = await storedFiles(database, userId);
  const included = sumOf(files) <= request.maxFileBytes;
  yield textEntry('README.txt', [readme(included)]);
  yield textEntry('contents.json', [
    `${JSON.stringify(await contents(deps, request, files, included), null, 2)}\n`,
  ]);
  for (const table of accountTables) {
    signal.throwIfAborted();
    yield { name: `${table.name}.json`, content: chunks(rowsOf(database, table, userId)) };
  }
  yield* pictures(database, userId);
  for await (const { id, name, lines } of annotationFiles(database, ownerOfUser(userId))) {
    signal.throwIfAborted();
    yield textEntry(`annotations/${safeName(name)}-${id.slice(0, 8)}.csv`, lines);
  }
  if (included) for (const [at, file] of files.entries()) yield await fileEntry(deps, file, at, signal);
}

/** Objects in the user's folder, including those that no row names. */
async function storedFiles({ pool }: Database, userId: string): Promise<readonly StoredFile[]> {
  const { rows } = await pool.query<StoredFile>(
    `select o.name, coalesce(f.original_filename, o.path_tokens[array_length(o.path_tokens, 1)]) as original_filename,
       coalesce((o.metadata ->> 'size')::float8, 0) as bytes
     from storage.objects o left join public.user_files f on f.file_path = o.name
     where o.bucket_id = 'user-files' and o.path_tokens[1] = $1 order by o.created_at, o.id`,
    [userId],
  );
  return rows;
}

function sumOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function pathOf({ original_filename }: StoredFile, at: number): string {
  return `files/${at + 1}_${safeName(original_filename)}`;
}

async function contents(
  { database }: ArchiveDeps,
  { userId, siteUrl }: ArchiveRequest,
  files: readonly StoredFile[],
  included: boolean,
): Promise<unknown> {
  const counts = await countRows(database, userId);
  return {
    made_at: new Date().toISOString(),
    site: siteUrl,
    user_id: userId,
    tables: counts.map(({ name, title, rows }) => ({ file: `${name}.json`, title, rows })),
    files: await Promise.all(
      files.map(async (file, at) => ({
        name: file.original_filename,
        bytes: file.bytes,
        ...(included
          ? { file: pathOf(file, at) }
          : {
              address:
                siteUrl + (await signDownload(database, `user-files/${file.name}`, addressDays * 86_400)),
            }),
      })),
    ),
  };
}

export async function countRows(
  { pool }: Pick<Database, 'pool'>,
  userId: string,
): Promise<readonly { name: string; title: string; rows: number }[]> {
  const { rows } = await pool.query<{ name: string; rows: number }>(
    accountTables
      .map(
        ({ table, name, where }) =>
          `select '${name}' as name, count(*)::int as rows from ${table} where ${where}`,
      )
      .join(' union all '),
    [userId],
  );
  const counts = new Map(rows.map((row) => [row.name, row.rows]));
  return accountTables.map(({ name, title }) => ({ name, title, rows: counts.get(name) ?? 0 }));
}

async function* rowsOf(
  { pool }: Database,
  { table, columns = '*', where, order }: AccountTable,
  userId: string,
): AsyncGenerator<string> {
  yield '[';
  for (let from = 0; ; from += batch) {
    const { rows } = await pool.query<{ row: unknown }>(
      `select to_json(r) as row from (
         select ${columns} from ${table} where ${where} order by ${order} limit $2 offset $3) r`,
      [userId, batch, from],
    );
    for (const [at, { row }] of rows.entries()) yield `${from + at > 0 ? ',' : ''}\n${JSON.stringify(row)}`;
    if (rows.length < batch) break;
  }
  yield '\n]\n';
}

/** Saved figures as images, one in memory at a time. */
async function* pictures({ pool }: Database, userId: string): AsyncGenerator<ZipEntry> {
  const { rows } = await pool.query<{ image_id: string; title: string }>(
    'select image_id, title from public.generated_images where user_id = $1 order by created_at, image_id',
    [userId],
  );
  for (const [at, { image_id, title }] of rows.entries()) {
    const { rows: imageRows } = await pool.query<{ image_data: string }>(
      'select image_data from public.generated_images where user_id = $1 and image_id = $2',
      [userId, image_id],
    );
    if (!imageRows[0]) continue;
    const [, kind = 'png', data] = /^(?:data:image\/(\w+)[^,]*,)?(.*)$/s.exec(imageRows[0].image_data)!;
    const name = `figures/${at + 1}_${safeName(title)}.${kind}`;
    yield { name, content: piecesOf([Buffer.from(data!, 'base64')]) };
  }
}

async function fileEntry(
  { database, blobs }: ArchiveDeps,
  file: StoredFile,
  at: number,
  signal: AbortSignal,
): Promise<ZipEntry> {
  signal.throwIfAborted();
  const name = pathOf(file, at);
  try {
    const object = await openStoredObject({ database, blobs }, 'user-files', file.name);
    // It may have been replaced since it was listed.
    if (object) return { name, size: object.metadata.size, content: await object.read() };
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error;
  }
  return textEntry(`${name}.missing.txt`, [
    `${file.original_filename} was deleted, or its bytes are not there.\n`,
  ]);
}

function readme(included: boolean): string {
  return `Your data of Cellfolio

contents.json       what is in this archive: tables with their numbers of rows, files with their sizes
*.json              a table each: an array of rows
annotations/*.csv   your labels and kept numbers of cells, as they are now
figures/            your kept figures; what each was drawn of is in figures.json
${
  included
    ? 'files/              the files that you uploaded, and those that were made for you'
    : `Your files have more than ${fileSize(browserFileBytes)} together and are not in this archive: contents.json has an address for each, good for ${countText(addressDays)} days.`
}

Datasets that were built of your files are not in here, as they can be built again. To take one along as .h5ad, open it in
the explorer and choose Export. Invoices are at the payment provider.
`;
}

function textEntry(name: string, texts: Iterable<string>): ZipEntry {
  return { name, content: chunks(texts) };
}

async function* chunks(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < chunkCharacters) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** A path component that every operating system accepts and that never leads out of its folder. */
function safeName(name: string): string {
  const cleanName = name.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_').toWellFormed();
  return cleanName.length <= 100 ? cleanName : `${cleanName.slice(0, 60)}…${cleanName.slice(-39)}`;
}

interface ZipEntry {
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** Size in bytes, if known; without it the file must be smaller than 4 GB. */
  size?: number;
}

/** Sizes and offsets from this value on are stored in the wider fields of Zip64. */
const wide = 0xffffffff;
/** A descriptor of checksum and sizes follows the bytes; the name is UTF-8. */
const flags = 0x0808;
const version = 45;

/**
 * Streams an archive of uncompressed files (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT): most files
 * are compressed already, and no file is held in memory.
 */
async function* zipOf(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = [];
  let position = 0;
  for await (const { name, content, size: announced = 0 } of entries) {
    const path = Buffer.from(name);
    const isWide = announced >= wide;
    const start = position;
    const head = Buffer.concat([localHeader(path, isWide, madeAt), path, isWide ? wideField([0, 0]) : empty]);
    yield head;
    let [sum, size] = [0, 0];
    for await (const piece of content) {
      sum = crc32(piece, sum);
      size += piece.length;
      yield piece;
    }
    if (size >= wide && !isWide) throw new Error(`${name} is larger than was announced.`);
    const tail = descriptor(sum, size, isWide);
    yield tail;
    position += head.length + size + tail.length;
    list.push(listEntry(path, { sum, size, start, isWide, madeAt }));
  }
  const entriesOfList = Buffer.concat(list);
  yield entriesOfList;
  yield endOfList(list.length, entriesOfList.length, position);
}

const empty = Buffer.alloc(0);

function localHeader(path: Buffer, isWide: boolean, madeAt: Date): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(timeOf(madeAt), 10);
  header.writeUInt32LE(isWide ? wide : 0, 18);
  header.writeUInt32LE(isWide ? wide : 0, 22);
  header.writeUInt16LE(path.length, 26);
  header.writeUInt16LE(isWide ? 20 : 0, 28);
  return header;
}

function descriptor(sum: number, size: number, isWide: boolean): Buffer {
  const fields = Buffer.alloc(isWide ? 24 : 16);
  fields.writeUInt32LE(0x08074b50, 0);
  fields.writeUInt32LE(sum, 4);
  for (const at of [0, 1]) {
    if (isWide) fields.writeBigUInt64LE(BigInt(size), 8 + 8 * at);
    else fields.writeUInt32LE(size, 8 + 4 * at);
  }
  return fields;
}

interface WrittenEntry {
  sum: number;
  size: number;
  start: number;
  isWide: boolean;
  madeAt: Date;
}

function listEntry(path: Buffer, { sum, size, start, isWide, madeAt }: WrittenEntry): Buffer {
  const isFar = start >= wide;
  const extra =
    isWide || isFar ? wideField([...(isWide ? [size, size] : []), ...(isFar ? [start] : [])]) : empty;
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt32LE(timeOf(madeAt), 12);
  entry.writeUInt32LE(sum, 16);
  entry.writeUInt32LE(isWide ? wide : size, 20);
  entry.writeUInt32LE(isWide ? wide : size, 24);
  entry.writeUInt16LE(path.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(isFar ? wide : start, 42);
  return Buffer.concat([entry, path, extra]);
}

function wideField(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [at, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * at);
  return field;
}

function endOfList(count: number, length: number, start: number): Buffer {
  const isWide = start >= wide || length >= wide || count >= 0xffff;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(isWide ? 0xffff : count, at);
  end.writeUInt32LE(isWide ? wide : length, 12);
  end.writeUInt32LE(isWide ? wide : start, 16);
  if (!isWide) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  for (const at of [12, 14]) end64.writeUInt16LE(version, at);
  for (const [at, number] of [count, count, length, start].entries())
    end64.writeBigUInt64LE(BigInt(number), 24 + 8 * at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** MS-DOS time and date, in UTC. */
function timeOf(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return ((date << 16) | time) >>> 0;
}
