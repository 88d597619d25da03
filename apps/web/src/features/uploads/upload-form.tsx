import { fileSize, roundFileSize, uploadKind } from '@cellfolio/contract';
import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useMaxFiles, useQuota } from './jobs/own-files.ts';
import { nameKey, shownName } from './same-names.ts';
import { totalSize, useUserFiles } from './user-files.ts';
import type { UserFile } from './user-files.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { FileBadge } from './file-row.tsx';
import { FileDrop } from './file-drop.tsx';
import { StatusLines } from './jobs/job-progress.tsx';
import type { UploadItem } from './queue/upload-items.ts';
import type { UploadQueue } from './queue/upload-queue.ts';
import type { ChosenFile, RefusedFile } from './use-chosen-files.ts';
import { useChosenFiles } from './use-chosen-files.ts';

// What the table takes.
const maxNameLength = 1000;
const longestDescription = 20_000;

interface UploadFormProps {
  userId: string;
  queue: UploadQueue;
  items: readonly UploadItem[];
  gate: 'checking' | 'closed' | 'open';
}

export function UploadForm({ userId, queue, items, gate }: UploadFormProps) {
  const stored = useUserFiles(userId).data ?? [];
  const quota = useQuota(userId);
  const maxFiles = useMaxFiles(userId);
  const { chosen, refused, notes, opening, typed, setTyped, choose, rename, remove, clear } = useChosenFiles(
    queue,
    quota,
  );
  const [description, setDescription] = useState('');
  const nameInput = useRef<HTMLInputElement>(null);
  const uploading = items.some(({ phase }) => phase !== 'failed' && phase !== 'paused');
  const disabled = gate !== 'open';
  const first = chosen[0];
  const several = chosen.length > 1;

  const coming = items.reduce((sum, { size }) => sum + size, 0);
  // While the quota is unknown, only the server checks it.
  const free = quota === null ? Infinity : Math.max(0, quota - totalSize(stored) - coming);
  const places = maxFiles === null ? Infinity : Math.max(0, maxFiles - stored.length - items.length);
  const wanted = chosen.reduce((sum, { file }) => sum + file.size, 0);
  const tooMuch = wanted > free || chosen.length > places;

  const submit = () => {
    if (disabled || uploading || tooMuch) return;
    if (chosen.length === 0 || chosen.some(({ name }) => name.trim() === '')) {
      toast.error('Error', { description: 'Please select a file and provide a name' });
      nameInput.current?.focus();
      return;
    }
    queue.add(
      chosen.map(({ file, name }) => ({
        file,
        fileName: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
      })),
    );
    clear();
    setDescription('');
  };

  return (
    <form
      noValidate
      className="grid gap-x-4 gap-y-3 md:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="flex min-w-0 flex-col gap-3">
        <FileDrop disabled={disabled} onFiles={(dropped) => void choose(dropped)} />
        <p role="status" className="text-muted flex items-center gap-2 text-[13px] empty:hidden">
          {opening !== null && (
            <>
              <Spinner />
              Opening {shortened(opening)}...
            </>
          )}
        </p>
        <RefusedFiles refused={refused} />
        <StatusLines lines={notes} />
        <ChosenFiles {...{ chosen, stored, items, remove }} rename={several ? rename : null} />
        <RoomAlerts {...{ quota, free, wanted, maxFiles, places }} count={chosen.length} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
          {!several && (
            <NameField
              input={nameInput}
              disabled={disabled}
              value={first?.name ?? typed}
              onChange={(name) => (first === undefined ? setTyped(name) : rename(first.key, name))}
            />
          )}
          <DescriptionField
            hint={several ? `Saved with each of the ${chosen.length} files.` : undefined}
            disabled={disabled}
            value={description}
            onChange={setDescription}
          />
        </div>
        <Button
          type="submit"
          disabled={disabled || uploading || tooMuch}
          className="h-auto min-h-9 py-1.5 whitespace-normal"
        >
          {(uploading || gate === 'checking') && <Spinner />}
          {buttonText(gate, uploading, chosen.length)}
        </Button>
      </div>
    </form>
  );
}

interface DescriptionFieldProps {
  hint: string | undefined;
  disabled: boolean;
  value: string;
  onChange: (value: string) => void;
}

function DescriptionField({ hint, disabled, value, onChange }: DescriptionFieldProps) {
  return (
    <Field label="Description" optional hint={hint}>
      {(control) => (
        <Textarea
          {...control}
          rows={1}
          className="min-h-9 py-1.5"
          maxLength={longestDescription}
          placeholder="Tissue, treatment, protocol"
          disabled={disabled}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface NameFieldProps {
  input: RefObject<HTMLInputElement | null>;
  disabled: boolean;
  value: string;
  onChange: (name: string) => void;
}

function NameField({ input, disabled, value, onChange }: NameFieldProps) {
  return (
    <Field label="File Name">
      {(control) => (
        <Input
          {...control}
          ref={input}
          required
          maxLength={maxNameLength}
          autoComplete="off"
          placeholder="Filled from the chosen file"
          disabled={disabled}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function RefusedFiles({ refused }: { refused: readonly RefusedFile[] }) {
  return (
    <div role="alert" className="flex flex-col gap-2 empty:hidden">
      {refused.map(({ key, name, problem }) => (
        <Alert key={key} variant="danger">
          <span className="min-w-0 wrap-anywhere">
            <strong className="font-medium">{shortened(name)}</strong>: {problem}
          </span>
        </Alert>
      ))}
    </div>
  );
}

interface RoomAlertsProps {
  /** Bytes: the plan's quota, the free part, and the total chosen. */
  quota: number | null;
  free: number;
  wanted: number;
  maxFiles: number | null;
  places: number;
  count: number;
}

function RoomAlerts({ quota, free, wanted, maxFiles, places, count }: RoomAlertsProps) {
  return (
    <>
      {maxFiles !== null && count > places && (
        <Alert variant="danger" role="alert">
          {formatCount(places)} of {plural(maxFiles, 'file slot')} left. Delete files you no longer need, or
          choose fewer.
        </Alert>
      )}
      {quota !== null && wanted > free && (
        <Alert variant="danger" role="alert">
          Not enough storage: the chosen files have {fileSize(wanted)}, and {fileSize(free)} of{' '}
          {roundFileSize(quota)} are free. Delete files you no longer need, or choose fewer.
        </Alert>
      )}
    </>
  );
}

interface ChosenFilesProps {
  chosen: readonly ChosenFile[];
  stored: readonly UserFile[];
  items: readonly UploadItem[];
  rename: ((key: number, name: string) => void) | null;
  remove: (key: number) => void;
}

function ChosenFiles({ chosen, stored, items, rename, remove }: ChosenFilesProps) {
  if (chosen.length === 0) return null;
  const named = chosen.map(({ name, file }) => ({ file_name: name, original_filename: file.name }));
  const there = new Set([
    ...stored.map(nameKey),
    ...items.map(({ fileName, originalName }) =>
      nameKey({ file_name: fileName, original_filename: originalName }),
    ),
  ]);
  const chosenNames = Map.groupBy(named, nameKey);
  const noteOf = ({ file }: ChosenFile, name: (typeof named)[number]) => {
    const again = stored.some(
      ({ original_filename, file_size }) => original_filename === file.name && file_size === file.size,
    );
    if (again) return 'You already have a file of this name and size; this would be a second copy.';
    if (there.has(nameKey(name))) return `You already have a file ${shortened(shownName(name))}.`;
    if (chosenNames.get(nameKey(name))!.length > 1) return 'Another of the chosen files has this name.';
    return null;
  };
  const mixable = named.some(
    (name) =>
      isOfMatrix(name.original_filename) &&
      (there.has(nameKey(name)) || chosenNames.get(nameKey(name))!.length > 1),
  );
  return (
    <>
      {mixable && (
        <Alert variant="warning" role="status">
          Files with equal names are easily mixed up between samples. Choose the folder instead, which adds
          the sample to the names, or rename the files, such as to treated_1_matrix.
        </Alert>
      )}
      <ul aria-label="Chosen files" className="divide-border divide-y rounded-md border">
        {chosen.map((entry, at) => (
          <ChosenRow
            key={entry.key}
            entry={entry}
            note={noteOf(entry, named[at]!)}
            onRename={rename === null ? null : (name) => rename(entry.key, name)}
            onRemove={() => remove(entry.key)}
          />
        ))}
      </ul>
    </>
  );
}

interface ChosenRowProps {
  entry: ChosenFile;
  note: string | null;
  onRename: ((name: string) => void) | null;
  onRemove: () => void;
}

function ChosenRow({ entry: { file, name, interrupted }, note, onRename, onRemove }: ChosenRowProps) {
  return (
    <li className="flex items-start gap-2 p-2">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[13px]">
          <FileBadge name={file.name} />
          <span className="min-w-0 wrap-anywhere">{shortened(file.name)}</span>
          <span className="text-muted text-xs tabular-nums">{fileSize(file.size)}</span>
        </p>
        {onRename !== null && (
          <Input
            aria-label={`File Name of ${file.name}`}
            required
            maxLength={maxNameLength}
            autoComplete="off"
            className="h-8 text-[13px]"
            value={name}
            onChange={({ target }) => onRename(target.value)}
          />
        )}
        {interrupted && <p className="text-muted text-xs">Resumes where it stopped.</p>}
        {note !== null && <p className="text-warning text-xs wrap-anywhere">{note}</p>}
      </div>
      <Button variant="ghost" size="icon-sm" aria-label={`Remove ${file.name}`} onClick={onRemove}>
        <X aria-hidden />
      </Button>
    </li>
  );
}

/** Whether a file is useful only together with two others. */
function isOfMatrix(name: string): boolean {
  return uploadKind(name)?.dataset === false;
}

function buttonText(gate: UploadFormProps['gate'], uploading: boolean, count: number): string {
  if (gate === 'checking') return 'Checking subscription...';
  if (gate === 'closed') return 'Professional Plan Required to Upload Custom Data';
  if (uploading) return 'Uploading...';
  return count > 1 ? `Upload ${count} Files` : 'Upload File';
}

/** Names from disks have any length; both ends are kept so that the row identifies the file. */
function shortened(name: string): string {
  return name.length > 120 ? `${name.slice(0, 80)}…${name.slice(-30)}` : name;
}
