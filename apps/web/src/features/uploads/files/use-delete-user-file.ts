import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import type { UserFile } from './user-file.ts';
import { userFilesBucket, userFilesKey } from './user-file.ts';

/**
 * Deletes a file: its bytes first. Should the row then stay, the file is still listed and can be deleted again; the
 * other way round its bytes would take room that nobody sees.
 */
export function useDeleteUserFile(userId: string) {
  const { files, tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, file_path }: Pick<UserFile, 'id' | 'file_path'>): Promise<void> => {
      const removed = await (await files()).from(userFilesBucket).remove([file_path]);
      if (removed.error !== null) throw removed.error;
      const { error } = await (await tables()).from('user_files').delete().eq('id', id);
      if (error !== null) throw error;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: userFilesKey(userId) }),
  });
}
