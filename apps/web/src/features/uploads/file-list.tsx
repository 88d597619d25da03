import type { OwnFiles } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { counted, formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { SettingsDialog } from './build/settings-dialog.tsx';
import { CombineDialog } from './samples/combine-dialog.tsx';
import { ConvertBox } from './convert-box.tsx';
import { DeleteQuestion, useDeleteFiles } from './delete-files.tsx';
import { FileRow } from './file-row.tsx';
import { combinedFiles, fileStates } from './file-state.ts';
import { useStartInspection, useStartPlan } from './jobs/job-calls.ts';
import { filesByName, sameNamed } from './same-names.ts';
import { userFilesBucket } from './user-files.ts';
import type { UserFile } from './user-files.ts';

const none: readonly never[] = [];

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
  const [asked, setAsked] = useState<readonly UserFile[]>(none);
  const [opened, setOpened] = useState<string | null>(null);
  const [combining, setCombining] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // What several matrices are converted to can be combined next.
  const [converted, setConverted] = useDraft<string[]>(`converted-together:${userId}`, [], readTexts);
  const remove = useDeleteFiles(userId);
  const download = useDownloadUserFile();
  const inspect = useStartInspection(userId);
  const answer = useStartPlan(userId);
  const part = useShownPart(files, shownRows);
  const states = useMemo(() => (own === undefined ? undefined : fileStates(own)), [own]);
  const byName = useMemo(() => filesByName(files), [files]);
  const samples = useMemo(() => combinedFiles(own?.files ?? []), [own]);
  const selected = files.filter(({ id }) => selection.has(id));
  const openedFile = files.find(({ id }) => id === opened);
  const openedState = opened === null ? undefined : states?.get(opened);
  return (
    <div className="flex flex-col gap-3">
      <ConvertBox
        userId={userId}
        files={files}
        byName={byName}
        selected={selected}
        states={states}
        jobs={own?.jobs ?? none}
        allowed={allowed}
        converted={converted}
        onStarted={(jobIds, fileIds) => {
          setSelectedIds((before) => before.filter((id) => !fileIds.includes(id)));
          if (jobIds.length > 1) setConverted(jobIds);
        }}
        onCombine={(chosen) => {
          setSelectedIds(chosen.map(({ id }) => id));
          setCombining(true);
        }}
      >
        {selected.length > 1 && (
          <div className="flex w-full flex-wrap justify-end gap-1">
            <Button
              variant="ghost"
              size="xs"
              onClick={() => {
                setSelectedIds([]);
                list.current?.focus({ preventScroll: true });
              }}
            >
              Clear selection
            </Button>
            <Button variant="danger" size="xs" disabled={remove.isPending} onClick={() => setAsked(selected)}>
              <Trash2 aria-hidden />
              Delete {selected.length} files
            </Button>
          </div>
        )}
      </ConvertBox>
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
            timed={sameNamed(file, byName).length > 0}
            deleting={remove.isPending && remove.variables.some(({ id }) => id === file.id)}
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
            onDelete={() => setAsked([file])}
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
            setConverted([]);
          }}
        />
      )}
      <DeleteQuestion
        files={asked}
        onClose={() => setAsked(none)}
        onDelete={(chosen) =>
          remove.mutate(chosen, {
            onSuccess: () => {
              // Its row goes, and the focus with it. Nothing moves: the next click may be on its way.
              if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
            },
          })
        }
      />
    </div>
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
