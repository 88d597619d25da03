import { isDatasetFile, uploadKinds } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';

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

/** Under which the user's files and the jobs on them are kept; what makes a list of files stale makes this stale. */
export const ownFilesKey = (userId: string) => [...userFilesKey(userId), 'own'] as const;

export function totalSize(files: readonly Pick<UserFile, 'file_size'>[]): number {
  return files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
}

/** What the file picker offers: browsers know the last part of an extension only. */
export const pickedExtensions = [
  ...uploadKinds.map(({ extension }) => extension),
  '.gz',
  '.tar',
  '.tgz',
].join(',');

// What the service gives at a time.
const pageRows = 1000;

/** Under which all files of a user are kept. */
export function allUserFilesKey(userId: string) {
  return [...userFilesKey(userId), 'all'];
}

/** Everything that the user has uploaded, newest first; row-level security lets nobody see another's. */
export function useUserFiles(userId: string, { enabled = true } = {}) {
  const { tables } = useServices();
  return useQuery({
    queryKey: allUserFilesKey(userId),
    queryFn: ({ signal }) => readFiles(tables, signal),
    enabled,
  });
}

async function readFiles(tables: Services['tables'], signal: AbortSignal): Promise<UserFile[]> {
  const client = await tables();
  const files: UserFile[] = [];
  for (;;) {
    const { data, error } = await client
      .from('user_files')
      .select('*')
      .order('created_at', { ascending: false })
      // Files of the same moment keep their places from page to page.
      .order('id')
      .range(files.length, files.length + pageRows - 1)
      .abortSignal(signal);
    if (error !== null) throw error;
    files.push(...(data as UserFile[]));
    if (data.length < pageRows) return files;
  }
}

/** The user's own AnnData files, newest first: those of the files of the upload page that the explorer opens. */
export function useCustomFiles(userId: string) {
  const query = useUserFiles(userId);
  return {
    ...query,
    files: query.data?.filter(({ original_filename }) => isDatasetFile(original_filename)),
  };
}

/** Where an uploaded file is explored. */
export function customFilePath({ id, file_name }: Pick<UserFile, 'id' | 'file_name'>): string {
  return `/explorer?${new URLSearchParams({ customFileId: id, customFileName: file_name })}`;
}
