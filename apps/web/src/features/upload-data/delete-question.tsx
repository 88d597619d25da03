import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog.tsx';
import { fileKind } from '@/features/user-files/file-kind.ts';
import type { UserFile } from '@/features/user-files/user-file.ts';

interface DeleteQuestionProps {
  /** The file that is asked about; `null` where none is. */
  file: UserFile | null;
  onDelete: (file: UserFile) => void;
  onClose: () => void;
}

/** Says what goes with a file, and asks. */
export function DeleteQuestion({ file, onDelete, onClose }: DeleteQuestionProps) {
  const isH5ad = file !== null && fileKind(file.original_filename) === 'h5ad';
  return (
    <AlertDialog open={file !== null} onOpenChange={(open) => !open && onClose()}>
      <AlertDialogContent>
        <AlertDialogTitle>Are you sure you want to delete this file?</AlertDialogTitle>
        <AlertDialogDescription className="wrap-anywhere">
          {file?.file_name} ({file?.original_filename}) is deleted for good
          {isH5ad && ', and the dataset that was made of it goes too: it can no longer be explored'}. Work on
          it that is under way ends. This cannot be undone.
        </AlertDialogDescription>
        <AlertDialogFooter>
          <AlertDialogCancel>Cancel</AlertDialogCancel>
          <AlertDialogAction destructive onClick={() => file !== null && onDelete(file)}>
            Delete
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
