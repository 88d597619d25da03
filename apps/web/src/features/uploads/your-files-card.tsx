import type { OwnFiles } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { FolderOpen, RotateCcw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Skeleton } from '@/components/ui/skeleton.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useStartInspection } from './jobs/use-start-job.ts';
import { useOwnFiles } from './jobs/use-own-files.ts';
import { useDeleteUserFile } from './files/use-delete-user-file.ts';
import { useDownloadUserFile } from './files/use-download-user-file.ts';
import { useUserFiles } from './files/use-user-files.ts';
import type { UserFile } from './files/user-file.ts';
import { totalSize, userFilesKey } from './files/user-file.ts';
import { counted } from '@/lib/counted.ts';
import { ConvertBox } from './convert-box.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import { FileRow } from './file-row.tsx';
import { fileStates } from './file-state.ts';
import { QuotaBar } from './quota-bar.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useShownPart } from './shown-part.tsx';
import { SyncNotice } from './sync-notice.tsx';

// A row is forty elements, and there may be a thousand files.
const shownRows = { first: 100, more: 200 };

interface YourFilesCardProps {
  userId: string;
  /** Whether the plan lets this user begin work. */
  allowed: boolean;
}

/** Everything that the user has uploaded or made of it. */
export function YourFilesCard({ userId, allowed }: YourFilesCardProps) {
  const query = useUserFiles(userId);
  const own = useOwnFiles(userId);
  useUnlistedFiles(userId, query.data, own.data);
  return (
    <Card aria-labelledby="your-files">
      <CardHeader className="flex-wrap items-start">
        <div className="flex min-w-0 flex-col">
          <CardTitle id="your-files">
            Your Files{query.data === undefined ? '' : ` (${query.data.length})`}
          </CardTitle>
          <SyncNotice query={own} />
        </div>
        {query.data !== undefined && (
          <QuotaBar used={totalSize(query.data)} quota={own.data?.quota_bytes ?? null} />
        )}
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
          <FileList userId={userId} files={query.data} own={own.data} allowed={allowed} />
        )}
      </CardContent>
    </Card>
  );
}

/** A conversion adds a file that the list has not: the list is then asked for again. */
function useUnlistedFiles(userId: string, files: readonly UserFile[] | undefined, own: OwnFiles | undefined) {
  const queryClient = useQueryClient();
  const listed = new Set(files?.map(({ id }) => id));
  const unlisted =
    files === undefined
      ? ''
      : (own?.files ?? [])
          .map(({ file_id }) => file_id)
          .filter((id) => !listed.has(id))
          .join();
  // By its content, so that a file that never comes is asked for once.
  useEffect(() => {
    if (unlisted !== '') void queryClient.invalidateQueries({ queryKey: userFilesKey(userId) });
  }, [queryClient, userId, unlisted]);
}

interface FileListProps {
  userId: string;
  files: readonly UserFile[];
  /** `undefined` while the server has not told of them. */
  own: OwnFiles | undefined;
  allowed: boolean;
}

function FileList({ userId, files, own, allowed }: FileListProps) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<UserFile | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const remove = useDeleteUserFile(userId);
  const download = useDownloadUserFile();
  const inspect = useStartInspection(userId);
  const part = useShownPart(files, shownRows);
  const states = useMemo(() => (own === undefined ? undefined : fileStates(own)), [own]);
  const selected = files.filter(({ id }) => selection.has(id));
  const openedFile = files.find(({ id }) => id === opened);
  const openedState = opened === null ? undefined : states?.get(opened);
  return (
    <div className="flex flex-col gap-3">
      <ConvertBox
        userId={userId}
        selected={selected}
        states={states}
        allowed={allowed}
        onStarted={() => setSelection(new Set())}
      />
      <p role="status" className="sr-only">
        {selected.length > 0 && `${counted(selected.length, 'file')} selected`}
      </p>
      <ul
        ref={list}
        aria-label="Your files"
        tabIndex={-1}
        className="divide-border divide-y rounded-md border outline-none"
      >
        {part.shown.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            state={states?.get(file.id)}
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
            onInspect={allowed ? () => inspect.mutate(file.id) : undefined}
            inspectDisabled={inspect.isPending}
            onSettings={() => setOpened(file.id)}
            onDownload={() =>
              download.mutate(file, {
                onError: () => toast.error('Error', { description: 'Failed to download file' }),
              })
            }
            onDelete={() => setAsked(file)}
          />
        ))}
      </ul>
      {part.more}
      {openedFile !== undefined && openedState?.report?.kind === 'h5ad' && (
        <SettingsDialog
          userId={userId}
          file={openedFile}
          report={openedState.report}
          state={openedState}
          allowed={allowed}
          onClose={() => setOpened(null)}
        />
      )}
      <DeleteQuestion
        file={asked}
        onClose={() => setAsked(null)}
        onDelete={(file) =>
          remove.mutate(file, {
            onSuccess: () => {
              toast.success('File deleted successfully');
              // Its row goes, and the focus with it. Nothing moves: the next click may be on its way.
              if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
            },
            onError: () => toast.error('Error', { description: 'Failed to delete file' }),
          })
        }
      />
    </div>
  );
}
