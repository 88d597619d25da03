import { extensionOf, uploadKind } from '@cellfolio/contract';
import { refusalReason } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';
import { userFilesBucket } from '../user-files.ts';
import type { UserFile } from '../user-files.ts';

type NewUserFile = Omit<UserFile, 'id' | 'created_at'>;

const uniqueViolation = '23505';

/** A file has arrived and has no row. `refused` says that it never will: its bytes are then gone again. */
export class RowNotWritten extends Error {
  override readonly name = 'RowNotWritten';
  readonly refused: boolean;
  readonly code: string;

  constructor(message: string, { refused, code, cause }: { refused: boolean; code: string; cause: unknown }) {
    super(message, { cause });
    this.refused = refused;
    this.code = code;
  }
}

/**
 * Lists a file whose bytes have arrived. Where the table refuses it the bytes are removed, because nobody would see
 * what takes the room; where no answer comes they stay, and calling again is safe. Throws {@link RowNotWritten}.
 */
export async function storeRow(
  { tables, files }: Pick<Services, 'tables' | 'files'>,
  row: NewUserFile,
): Promise<void> {
  const { error, status } = await (await tables()).from('user_files').insert(row);
  // A row of this path can only be this file's, from before an answer was lost.
  if (error === null || error.code === uniqueViolation) return;
  // 429: retry later.
  const refused = status >= 400 && status < 500 && status !== 429;
  if (refused) await (await files()).from(userFilesBucket).remove([row.file_path]);
  const message = refused
    ? `The file could not be listed and was removed again: ${refusalReason(error) || error.message}`
    : 'The file has arrived, but could not be listed. Try again; nothing is sent twice.';
  throw new RowNotWritten(message, { refused, code: error.code, cause: error });
}

// The service takes more, but these are the same in every address, encoded or not.
const otherCharacters = /[^\w\-.]/g;
const maxNameLength = 100;

/**
 * Where a file is stored: `<user id>/<timestamp>_<name>.<extension>`. Of the given name, what is no letter, digit,
 * `-` or `.` of ASCII becomes `_`; the name that people see is kept in the row of the file.
 * @param timestamp milliseconds since the epoch, not given to another file of the user
 */
export function storagePath(userId: string, timestamp: number, name: string, originalName: string): string {
  const kept = name.trim().replaceAll(otherCharacters, '_').slice(0, maxNameLength);
  return `${userId}/${timestamp}_${kept}${extensionOf(originalName)}`;
}

/** 'counts.mtx' → 'counts': what the name of a file is filled with before anybody names it. */
export function nameWithoutExtension(originalName: string): string {
  const extension = extensionOf(originalName);
  return originalName.slice(0, originalName.length - extension.length);
}

const longest = 255;

/** What the browser says a file is, or what its extension means where it says nothing. */
export function mimeType({ name, type }: Pick<File, 'name' | 'type'>): string {
  if (type !== '' && type.length <= longest) return type;
  if (extensionOf(name).endsWith('.gz')) return 'application/gzip';
  return uploadKind(name)?.mimeType ?? 'application/octet-stream';
}
