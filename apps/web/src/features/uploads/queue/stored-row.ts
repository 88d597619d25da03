import { extensionOf, uploadKind } from '@cellfolio/contract';
import { refusalReason } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';
import { userFilesBucket } from '../user-files.ts';
import type { UserFile } from '../user-files.ts';

type NewUserFile = Omit<UserFile, 'id' | 'created_at'>;

const uniqueViolation = '23505';

/** A file has arrived but has no row. `refused`: it will never have one, and its bytes have been removed. */
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
 * Lists a file whose bytes have arrived. If the table refuses it, the bytes are removed, since they would occupy space
 * invisibly; without a response they stay, and calling again is safe. Throws {@link RowNotWritten}.
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
    : 'The file is uploaded, but could not be listed. Try again; it is not sent twice.';
  throw new RowNotWritten(message, { refused, code: error.code, cause: error });
}

// The service takes more, but these are the same in every address, encoded or not.
const otherCharacters = /[^\w\-.]/g;
const maxNameLength = 100;

/**
 * Storage path: `<user id>/<timestamp>_<name>.<extension>`. Characters of the name other than ASCII letters, digits,
 * `-` and `.` become `_`; the displayed name is stored in the file's row. `timestamp`: milliseconds since the epoch,
 * unique among the user's files.
 */
export function storagePath(userId: string, timestamp: number, name: string, originalName: string): string {
  const safeName = name.trim().replaceAll(otherCharacters, '_').slice(0, maxNameLength);
  return `${userId}/${timestamp}_${safeName}${extensionOf(originalName)}`;
}

/** 'counts.mtx' → 'counts': default for the name of a file. */
export function nameWithoutExtension(originalName: string): string {
  const extension = extensionOf(originalName);
  return originalName.slice(0, originalName.length - extension.length);
}

const longest = 255;

export function mimeType({ name, type }: Pick<File, 'name' | 'type'>): string {
  if (type !== '' && type.length <= longest) return type;
  if (extensionOf(name).endsWith('.gz')) return 'application/gzip';
  return uploadKind(name)?.mimeType ?? 'application/octet-stream';
}
