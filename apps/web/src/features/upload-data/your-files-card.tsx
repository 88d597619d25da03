import { FolderOpen, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Skeleton } from '@/components/ui/skeleton.tsx';
import { useDeleteUserFile } from '@/features/user-files/use-delete-user-file.ts';
import { useDownloadUserFile } from '@/features/user-files/use-download-user-file.ts';
import { useUserFiles } from '@/features/user-files/use-user-files.ts';
import type { UserFile } from '@/features/user-files/user-file.ts';
import { totalSize } from '@/features/user-files/user-file.ts';
import { counted } from '@/lib/counted.ts';
import { ConvertBox } from './convert-box.tsx';
import { FileRow } from './file-row.tsx';
import { QuotaBar } from './quota-bar.tsx';

/** Everything that the user has uploaded. */
export function YourFilesCard({ userId }: { userId: string }) {
  const query = useUserFiles(userId);
  return (
    <Card aria-labelledby="your-files">
      <CardHeader className="flex-wrap">
        <CardTitle id="your-files">
          Your Files{query.data === undefined ? '' : ` (${query.data.length})`}
        </CardTitle>
        {query.data !== undefined && <QuotaBar used={totalSize(query.data)} />}
      </CardHeader>
      <CardContent>
        {query.isPending ? (
          <div role="status" aria-label="Loading your files" className="flex flex-col gap-2">
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </div>
        ) : query.isError ? (
          <div className="flex flex-col items-start gap-2">
            <Alert variant="danger" role="alert">
              Failed to fetch your files
            </Alert>
            <Button
              variant="secondary"
              size="sm"
              disabled={query.isFetching}
              onClick={() => void query.refetch()}
            >
              <RotateCcw aria-hidden />
              Try again
            </Button>
          </div>
        ) : query.data.length === 0 ? (
          <EmptyState icon={FolderOpen} title="No files uploaded yet">
            <p>Upload your first file above to get started!</p>
          </EmptyState>
        ) : (
          <FileList userId={userId} files={query.data} />
        )}
      </CardContent>
    </Card>
  );
}

function FileList({ userId, files }: { userId: string; files: readonly UserFile[] }) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<UserFile | null>(null);
  const remove = useDeleteUserFile(userId);
  const download = useDownloadUserFile();
  const selected = files.filter(({ id }) => selection.has(id));
  return (
    <div className="flex flex-col gap-3">
      <ConvertBox selected={selected} />
      <p role="status" className="sr-only">
        {selected.length > 0 && `${counted(selected.length, 'file')} selected`}
      </p>
      <ul aria-label="Your files" className="divide-border divide-y rounded-md border">
        {files.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            selected={selection.has(file.id)}
            deleting={remove.isPending && remove.variables.id === file.id}
            onSelect={(on) =>
              setSelection((before) => {
                const after = new Set(before);
                if (on) after.add(file.id);
                else after.delete(file.id);
                return after;
              })
            }
            onDownload={() =>
              download.mutate(file, {
                onError: () => toast.error('Error', { description: 'Failed to download file' }),
              })
            }
            onDelete={() => setAsked(file)}
          />
        ))}
      </ul>
      <AlertDialog open={asked !== null} onOpenChange={(open) => !open && setAsked(null)}>
        <AlertDialogContent>
          <AlertDialogTitle>Are you sure you want to delete this file?</AlertDialogTitle>
          <AlertDialogDescription className="wrap-anywhere">
            {asked?.file_name} ({asked?.original_filename}) is deleted for good. This cannot be undone.
          </AlertDialogDescription>
          <AlertDialogFooter>
            <AlertDialogCancel>Cancel</AlertDialogCancel>
            <AlertDialogAction
              destructive
              onClick={() => {
                if (asked === null) return;
                remove.mutate(asked, {
                  onSuccess: () => toast.success('File deleted successfully'),
                  onError: () => toast.error('Error', { description: 'Failed to delete file' }),
                });
              }}
            >
              Delete
            </AlertDialogAction>
          </AlertDialogFooter>
        </AlertDialogContent>
      </AlertDialog>
    </div>
  );
}
