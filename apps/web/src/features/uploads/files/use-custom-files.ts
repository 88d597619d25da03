import { fileKind } from './file-kind.ts';
import { useUserFiles } from './use-user-files.ts';
import type { UserFile } from './user-file.ts';

/** The user's own AnnData files, newest first: those of the files of the upload page that the explorer opens. */
export function useCustomFiles(userId: string) {
  const query = useUserFiles(userId);
  return {
    ...query,
    files: query.data?.filter(({ original_filename }) => fileKind(original_filename) === 'h5ad'),
  };
}

/** Where an uploaded file is explored. */
export function customFilePath({ id, file_name }: Pick<UserFile, 'id' | 'file_name'>): string {
  return `/explorer?${new URLSearchParams({ customFileId: id, customFileName: file_name })}`;
}
