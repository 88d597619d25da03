import { useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';

/** A row of `user_files`, as far as a list shows it. */
export interface CustomFile {
  id: string;
  file_name: string;
  original_filename: string;
  description: string | null;
  /** Bytes. */
  file_size: number | null;
  created_at: string;
}

/** The user's own AnnData files, newest first; row-level security lets nobody see another's. */
export function useCustomFiles(userId: string) {
  const { tables } = useServices();
  return useQuery({
    queryKey: ['user-files', userId, 'h5ad'],
    queryFn: async ({ signal }): Promise<CustomFile[]> => {
      const { data, error } = await (
        await tables()
      )
        .from('user_files')
        .select('*')
        .ilike('original_filename', '%.h5ad')
        .order('created_at', { ascending: false })
        .abortSignal(signal);
      if (error !== null) throw error;
      return data;
    },
  });
}

/** Where an uploaded file is explored. */
export function customFilePath({ id, file_name }: Pick<CustomFile, 'id' | 'file_name'>): string {
  return `/explorer?${new URLSearchParams({ customFileId: id, customFileName: file_name })}`;
}
