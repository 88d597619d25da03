import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { fileKind } from './files/file-kind.ts';
import type { UserFile } from './files/user-file.ts';

interface DeleteQuestionProps {
  /** The file that is asked about; `null` where none is. */
  file: UserFile | null;
  onDelete: (file: UserFile) => void;
  onClose: () => void;
}

/** Says what goes with a file, and asks. */
export function DeleteQuestion({ file, onDelete, onClose }: DeleteQuestionProps) {
  // What was asked stands there until the question has faded away.
  const [last, setLast] = useState(file);
  if (file !== null && file !== last) setLast(file);
  const shown = file ?? last;
  const isH5ad = shown !== null && fileKind(shown.original_filename) === 'h5ad';
  return (
    <ConfirmQuestion
      open={file !== null}
      title="Are you sure you want to delete this file?"
      action="Delete"
      onAction={() => file !== null && onDelete(file)}
      onClose={onClose}
    >
      {shown?.file_name} ({shown?.original_filename}) is deleted for good
      {isH5ad && ', and the dataset that was made of it goes too: it can no longer be explored'}. Work on it
      that is under way ends. This cannot be undone.
    </ConfirmQuestion>
  );
}
