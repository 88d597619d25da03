import { isDatasetFile } from '@cellfolio/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { shownName } from './same-names.ts';
import { userFilesBucket, userFilesKey } from './user-files.ts';
import type { UserFile } from './user-files.ts';

interface DeleteQuestionProps {
  files: readonly UserFile[];
  onDelete: (files: readonly UserFile[]) => void;
  onClose: () => void;
}

export function DeleteQuestion({ files, onDelete, onClose }: DeleteQuestionProps) {
  // What was asked stands there until the question has faded away.
  const [last, setLast] = useState(files);
  if (files.length > 0 && files !== last) setLast(files);
  const shown = files.length > 0 ? files : last;
  const several = shown.length > 1;
  const datasets = shown.filter(({ original_filename }) => isDatasetFile(original_filename));
  const [file] = shown;
  return (
    <ConfirmQuestion
      open={files.length > 0}
      title={`Are you sure you want to delete ${several ? `these ${shown.length} files` : 'this file'}?`}
      action={several ? `Delete ${shown.length} files` : 'Delete'}
      onAction={() => onDelete(files)}
      onClose={onClose}
    >
      {several ? `${listed(shown)} are` : `${file?.file_name} (${file?.original_filename}) is`} permanently
      deleted
      {datasets.length > 0 &&
        (several
          ? `, and so ${pluralWord(datasets.length, 'is the dataset', 'are the datasets')} built from ${listed(datasets)}`
          : ', and so is the dataset built from it')}
      . {several ? 'Their' : 'Its'} running jobs are canceled. This cannot be undone.
    </ConfirmQuestion>
  );
}

const maxNamed = 30;

/** Does not truncate names, since they may differ only at their ends. */
function listed(files: readonly UserFile[]): string {
  const names = files.slice(0, maxNamed).map(shownName).join(', ');
  return files.length > maxNamed ? `${names} and ${files.length - maxNamed} more` : names;
}

/**
 * Deletes files, the bytes of each before its row. If the row then stays, the file is still listed and can be deleted
 * again; in the reverse order its bytes would occupy space invisibly. A failure is reported by name and does not stop
 * the others.
 */
export function useDeleteFiles(userId: string) {
  const { files, tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (chosen: readonly UserFile[]): Promise<UserFile[]> => {
      const bucket = (await files()).from(userFilesBucket);
      const table = await tables();
      const failed: UserFile[] = [];
      for (const file of chosen) {
        const removed = await bucket.remove([file.file_path]);
        const { error } = removed.error ? removed : await table.from('user_files').delete().eq('id', file.id);
        if (error !== null) failed.push(file);
      }
      return failed;
    },
    onSuccess: (failed, chosen) => {
      const deleted = chosen.length - failed.length;
      if (deleted > 0) {
        toast.success(deleted === 1 ? 'File deleted successfully' : `${deleted} files deleted successfully`);
      }
      if (failed.length > 0) {
        toast.error('Error', {
          description:
            chosen.length === 1
              ? 'Failed to delete file'
              : `Failed to delete ${plural(failed.length, 'file')}: ${listed(failed)}`,
        });
      }
    },
    onError: () => toast.error('Error', { description: 'Failed to delete file' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: userFilesKey(userId) }),
  });
}
