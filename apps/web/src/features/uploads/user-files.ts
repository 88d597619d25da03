import { isDatasetFile, uploadKinds } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';

export interface UserFile {
  id: string;
  user_id: string;
  file_name: string;
  original_filename: string;
  description: string | null;
  /** Bytes. */
  file_size: number | null;
  mime_type: string | null;
  file_path: string;
  created_at: string;
}

/** Storage bucket; each user's files are in a folder named by the user's id. */
export const userFilesBucket = 'user-files';

export const userFilesKey = (userId: string) => ['user-files', userId] as const;

/** Query key of the user's files and the jobs on them; invalidated together with the file lists. */
export const ownFilesKey = (userId: string) => [...userFilesKey(userId), 'own'] as const;

export function totalSize(files: readonly Pick<UserFile, 'file_size'>[]): number {
  return files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
}

/** Extensions for the file picker: browsers only know the last part of an extension. */
export const pickedExtensions = [
  ...uploadKinds.map(({ extension }) => extension),
  '.gz',
  '.tar',
  '.tgz',
].join(',');

// What the service gives at a time.
const pageRows = 1000;

export function allUserFilesKey(userId: string) {
  return [...userFilesKey(userId), 'all'];
}

/** All uploads of the user, newest first; row-level security hides other users' files. */
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

export function useCustomFiles(userId: string, options?: { enabled: boolean }) {
  const query = useUserFiles(userId, options);
  return {
    ...query,
    files: query.data?.filter(({ original_filename }) => isDatasetFile(original_filename)),
  };
}

export function customFilePath({ id, file_name }: Pick<UserFile, 'id' | 'file_name'>): string {
  return `/explorer?${new URLSearchParams({ customFileId: id, customFileName: file_name })}`;
}
