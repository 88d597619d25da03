import type { UserFileList } from '@cellfolio/contract';
import { Trash2 } from 'lucide-react';
import { type ComponentProps, type RefObject, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { SettingsDialog } from './build/settings-dialog.tsx';
import { CombineDialog } from './samples/combine-dialog.tsx';
import { ConvertBox } from './convert-box.tsx';
import { DeleteQuestion, useDeleteFiles } from './delete-files.tsx';
import { useDownloadUserFile } from './download-file.ts';
import { FileRow } from './file-row.tsx';
import { combinedFiles, type FileState, fileStates } from './file-state.ts';
import { useStartInspection, useStartPlan } from './jobs/job-calls.ts';
import { filesByName, sameNamed } from './same-names.ts';
import type { UserFile } from './user-files.ts';

const none: readonly never[] = [];

// A row is forty elements, and there may be a thousand files.
const shownRows = { first: 100, more: 200 };

interface FileListProps {
  userId: string;
  files: readonly UserFile[];
  /** `undefined` until the server lists them. */
  own: UserFileList | undefined;
  allowed: boolean;
}

export function FileList({ userId, files, own, allowed }: FileListProps) {
  // A user who comes back, such as from the browser's Back, finds the same files selected.
  const [selectedIds, setSelectedIds] = useDraft<string[]>(`selected-files:${userId}`, [], readTexts);
  const selection = new Set(selectedIds);
  const [filesToDelete, setFilesToDelete] = useState<readonly UserFile[]>(none);
  const [opened, setOpened] = useState<string | null>(null);
  const [combining, setCombining] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // What several matrices are converted to can be combined next.
  const [converted, setConverted] = useDraft<string[]>(`converted-together:${userId}`, [], readTexts);
  const remove = useDeleteFiles(userId);
  const part = useShownPart(files, shownRows);
  const states = useMemo(() => (own === undefined ? undefined : fileStates(own)), [own]);
  const byName = useMemo(() => filesByName(files), [files]);
  const samples = useMemo(() => combinedFiles(own?.files ?? []), [own]);
  const selected = files.filter(({ id }) => selection.has(id));
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
        onSelect={(chosen) => setSelectedIds(chosen.map(({ id }) => id))}
      >
        {selected.length > 1 && (
          <SelectedFiles
            count={selected.length}
            deleting={remove.isPending}
            onClear={() => {
              setSelectedIds([]);
              list.current?.focus({ preventScroll: true });
            }}
            onDelete={() => setFilesToDelete(selected)}
          />
        )}
      </ConvertBox>
      <p role="status" className="sr-only">
        {selected.length > 0 && `${plural(selected.length, 'file')} selected`}
      </p>
      <FileRows
        {...{ userId, byName, states, samples, selection, allowed, list }}
        files={part.shown}
        deleting={remove.isPending ? remove.variables : none}
        onSelect={(id, on) =>
          setSelectedIds((before) => {
            const others = before.filter((other) => other !== id);
            return on ? [...others, id] : others;
          })
        }
        onSettings={setOpened}
        onDelete={(file) => setFilesToDelete([file])}
      />
      {part.more}
      <OpenedSettings
        {...{ userId, allowed }}
        file={files.find(({ id }) => id === opened)}
        state={opened === null ? undefined : states?.get(opened)}
        onClose={() => setOpened(null)}
      />
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
        files={filesToDelete}
        onClose={() => setFilesToDelete(none)}
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

interface OpenedSettingsProps extends Pick<
  ComponentProps<typeof SettingsDialog>,
  'userId' | 'allowed' | 'onClose'
> {
  file: UserFile | undefined;
  state: FileState | undefined;
}

function OpenedSettings({ file, state, ...others }: OpenedSettingsProps) {
  if (file === undefined || state?.report?.kind !== 'h5ad') return null;
  return <SettingsDialog {...others} file={file} report={state.report} state={state} />;
}

interface FileRowsProps {
  userId: string;
  files: readonly UserFile[];
  byName: ReturnType<typeof filesByName>;
  states: ReturnType<typeof fileStates> | undefined;
  samples: ReturnType<typeof combinedFiles>;
  selection: ReadonlySet<string>;
  allowed: boolean;
  deleting: readonly UserFile[];
  list: RefObject<HTMLUListElement | null>;
  onSelect: (id: string, on: boolean) => void;
  onSettings: (id: string) => void;
  onDelete: (file: UserFile) => void;
}

function FileRows({
  userId,
  files,
  byName,
  states,
  samples,
  selection,
  allowed,
  deleting,
  list,
  ...on
}: FileRowsProps) {
  const download = useDownloadUserFile();
  const inspect = useStartInspection(userId);
  const answer = useStartPlan(userId);
  return (
    <ul
      ref={list}
      aria-label="Your files"
      tabIndex={-1}
      className="divide-border divide-y rounded-md border outline-none"
    >
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          state={states?.get(file.id)}
          isSample={samples.has(file.original_filename)}
          selected={selection.has(file.id)}
          timed={sameNamed(file, byName).length > 0}
          deleting={deleting.some(({ id }) => id === file.id)}
          onSelect={(isSelected) => on.onSelect(file.id, isSelected)}
          onInspect={allowed ? () => inspect.mutate(file.id) : undefined}
          inspectDisabled={inspect.isPending || answer.isPending}
          onGenesIn={
            allowed
              ? (genesIn) => answer.mutate({ fileId: file.id, choices: { columns: { genesIn } } })
              : undefined
          }
          onSettings={() => on.onSettings(file.id)}
          onDownload={() =>
            download.mutate(file, {
              onError: () => toast.error('Error', { description: 'Failed to download file' }),
            })
          }
          onDelete={() => on.onDelete(file)}
        />
      ))}
    </ul>
  );
}

interface SelectedFilesProps {
  count: number;
  deleting: boolean;
  onClear: () => void;
  onDelete: () => void;
}

function SelectedFiles({ count, deleting, onClear, onDelete }: SelectedFilesProps) {
  return (
    <div className="flex w-full flex-wrap justify-end gap-1">
      <Button variant="ghost" size="xs" onClick={onClear}>
        Clear selection
      </Button>
      <Button variant="danger" size="xs" disabled={deleting} onClick={onDelete}>
        <Trash2 aria-hidden />
        Delete {count} files
      </Button>
    </div>
  );
}

export function useShownPart<T>(all: readonly T[], { first, more }: { first: number; more: number }) {
  const [limit, setLimit] = useState(first);
  return {
    shown: all.slice(0, limit),
    more:
      all.length > limit ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button variant="secondary" size="sm" onClick={() => setLimit(limit + more)}>
            Show {plural(Math.min(more, all.length - limit), 'more file')}
          </Button>
          <span className="text-muted text-xs tabular-nums">
            The newest {formatCount(limit)} of {formatCount(all.length)} are shown.
          </span>
        </div>
      ) : null,
  };
}
