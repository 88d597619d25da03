/** A row of `user_files`. */
export interface UserFile {
  id: string;
  user_id: string;
  /** As the user named it. */
  file_name: string;
  original_filename: string;
  description: string | null;
  /** Bytes. */
  file_size: number | null;
  mime_type: string | null;
  /** Where its bytes are in the bucket. */
  file_path: string;
  created_at: string;
}

/** Where the bytes are kept: each user's in a folder named by the user's id. */
export const userFilesBucket = 'user-files';

/** The beginning of every key that lists of the user's files are cached under. */
export const userFilesKey = (userId: string) => ['user-files', userId] as const;

export function totalSize(files: readonly Pick<UserFile, 'file_size'>[]): number {
  return files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
}
