import { useQuery } from '@tanstack/react-query';
import type { Services } from '@/lib/services.ts';
import { useServices } from '@/lib/services.ts';
import type { UserFile } from './user-file.ts';
import { userFilesKey } from './user-file.ts';

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
