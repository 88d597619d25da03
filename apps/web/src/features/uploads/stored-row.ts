import { userFilesBucket } from './files/user-file.ts';
import type { UserFile } from './files/user-file.ts';
import { refusalReason } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';

export type NewUserFile = Omit<UserFile, 'id' | 'created_at'>;

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
  // With 429 the table takes it later.
  const refused = status >= 400 && status < 500 && status !== 429;
  if (refused) await (await files()).from(userFilesBucket).remove([row.file_path]);
  const message = refused
    ? `The file could not be listed and was removed again: ${refusalReason(error) || error.message}`
    : 'The file has arrived, but could not be listed. Try again; nothing is sent twice.';
  throw new RowNotWritten(message, { refused, code: error.code, cause: error });
}
