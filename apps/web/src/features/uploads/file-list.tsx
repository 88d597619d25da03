import { isDatasetFile } from '@cellfolio/contract';
import type { OwnFiles } from '@cellfolio/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { counted, formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { SettingsDialog } from './build/settings-dialog.tsx';
import { CombineDialog } from './samples/combine-dialog.tsx';
import { ConvertBox } from './convert-box.tsx';
import { FileRow } from './file-row.tsx';
import { combinedFiles, fileStates } from './file-state.ts';
import { useStartInspection, useStartPlan } from './jobs/job-calls.ts';
import { userFilesBucket, userFilesKey } from './user-files.ts';
import type { UserFile } from './user-files.ts';

// A row is forty elements, and there may be a thousand files.
const shownRows = { first: 100, more: 200 };

interface FileListProps {
  userId: string;
  files: readonly UserFile[];
  /** `undefined` until the server lists them. */
  own: OwnFiles | undefined;
  allowed: boolean;
}

export function FileList({ userId, files, own, allowed }: FileListProps) {
  // A user who comes back, such as from the browser's Back, finds the same files selected.
  const [selectedIds, setSelectedIds] = useDraft<string[]>(`selected-files:${userId}`, [], readTexts);
  const selection = new Set(selectedIds);
  const [asked, setAsked] = useState<UserFile | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const [combining, setCombining] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const remove = useDeleteUserFile(userId);
  const download = useDownloadUserFile();
  const inspect = useStartInspection(userId);
  const answer = useStartPlan(userId);
  const part = useShownPart(files, shownRows);
  const states = useMemo(() => (own === undefined ? undefined : fileStates(own)), [own]);
  const samples = useMemo(() => combinedFiles(own?.files ?? []), [own]);
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
        onStarted={() => setSelectedIds([])}
        onCombine={() => setCombining(true)}
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
            isSample={samples.has(file.original_filename)}
            selected={selection.has(file.id)}
            deleting={remove.isPending && remove.variables.id === file.id}
            onSelect={(on) =>
              setSelectedIds((before) => {
                const others = before.filter((id) => id !== file.id);
                return on ? [...others, file.id] : others;
              })
            }
            onInspect={allowed ? () => inspect.mutate(file.id) : undefined}
            inspectDisabled={inspect.isPending || answer.isPending}
            onGenesIn={
              allowed
                ? (genesIn) => answer.mutate({ fileId: file.id, choices: { columns: { genesIn } } })
                : undefined
            }
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
      {combining && own !== undefined && (
        <CombineDialog
          userId={userId}
          selected={selected}
          files={own.files}
          onClose={() => setCombining(false)}
          onStarted={() => {
            setCombining(false);
            setSelectedIds([]);
          }}
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
  const isDataset = shown !== null && isDatasetFile(shown.original_filename);
  return (
    <ConfirmQuestion
      open={file !== null}
      title="Are you sure you want to delete this file?"
      action="Delete"
      onAction={() => file !== null && onDelete(file)}
      onClose={onClose}
    >
      {shown?.file_name} ({shown?.original_filename}) is permanently deleted
      {isDataset && ', and so is the dataset built from it'}. Its running jobs are cancelled. This cannot be
      undone.
    </ConfirmQuestion>
  );
}

/** The beginning of a list that may be long, and more of it on request. */
export function useShownPart<T>(all: readonly T[], { first, more }: { first: number; more: number }) {
  const [most, setMost] = useState(first);
  return {
    shown: all.slice(0, most),
    more:
      all.length > most ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button variant="secondary" size="sm" onClick={() => setMost(most + more)}>
            Show {counted(Math.min(more, all.length - most), 'more file')}
          </Button>
          <span className="text-muted text-xs tabular-nums">
            The newest {formatCount(most)} of {formatCount(all.length)} are shown.
          </span>
        </div>
      ) : null,
  };
}

/**
 * Deletes a file: its bytes first. Should the row then stay, the file is still listed and can be deleted again; the
 * other way round its bytes would take room that nobody sees.
 */
function useDeleteUserFile(userId: string) {
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

// The download begins at once; only beginning it is bound to this time.
const secondsToBegin = 60;

/**
 * Saves a file under its original name. The browser itself fetches it from a signed address, straight to disk, so
 * that a large file does not go through the memory of the page.
 */
function useDownloadUserFile() {
  const { files } = useServices();
  return useMutation({
    mutationFn: async (file: Pick<UserFile, 'file_path' | 'original_filename'>): Promise<void> => {
      const { data, error } = await (
        await files()
      )
        .from(userFilesBucket)
        .createSignedUrl(file.file_path, secondsToBegin);
      if (error !== null) throw error;
      const link = document.createElement('a');
      link.href = downloadAddress(data.signedUrl, file.original_filename);
      link.download = file.original_filename;
      link.click();
    },
  });
}

/** The client's own option for this encodes the name twice. */
function downloadAddress(signedUrl: string, name: string): string {
  const address = new URL(signedUrl);
  address.searchParams.set('download', name);
  return address.href;
}
