import { isDatasetFile, uploadKind } from '@cellfolio/contract';
import { Info, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { failureWords, useStartConversion } from './jobs/job-calls.ts';
import type { UserFile } from './user-files.ts';
import { cn } from '@/lib/cn.ts';
import { checkTrio, isConvertible, longestConvertedName, suggestedName } from './trio.ts';
import type { TrioCheck } from './trio.ts';
import type { FileState } from './file-state.ts';

interface ConvertBoxProps {
  userId: string;
  selected: readonly UserFile[];
  /** `undefined` until the server lists the files; then only the server validates. */
  states: ReadonlyMap<string, FileState> | undefined;
  /** Whether the plan lets this user begin work. */
  allowed: boolean;
  onStarted: () => void;
  /** Several datasets are selected and are to become one. */
  onCombine: () => void;
}

/** Says which files make an AnnData file together; the button comes when exactly those are selected. */
export function ConvertBox({ userId, selected, states, allowed, onStarted, onCombine }: ConvertBoxProps) {
  const convert = useStartConversion(userId);
  const box = useRef<HTMLDivElement>(null);
  const convertible = isConvertible(selected);
  const combinable =
    selected.length >= 2 && selected.every(({ original_filename }) => isDatasetFile(original_filename));
  const check = convertible ? judge(selected, states, allowed) : fine;

  const start = (name: string) => {
    const matrix = selected.find(({ original_filename }) => uploadKind(original_filename)?.kind === 'matrix');
    if (matrix === undefined) return;
    convert.mutate(
      { file_ids: selected.map(({ id }) => id), file_name: name },
      {
        onSuccess: () => {
          toast.success('Conversion Started', {
            description: `Converting ${matrix.original_filename} with ${selected.length - 1} metadata files to H5AD format`,
          });
          onStarted();
          // The button goes with the selection.
          box.current?.focus();
        },
        onError: (error) => toast.error('Error', { description: failureWords(error) }),
      },
    );
  };

  return (
    <Alert
      ref={box}
      tabIndex={-1}
      variant={check.state === 'wrong' ? 'warning' : 'neutral'}
      className={cn(
        'min-h-12 flex-wrap items-center outline-none',
        // The files that are selected may be far down.
        selected.length > 0 && 'shadow-card sticky top-0 z-10',
      )}
    >
      {check.state === 'wrong' ? <TriangleAlert aria-hidden /> : <Info aria-hidden className="text-muted" />}
      <p className="min-w-52 flex-1">
        {combinable && 'The selected files can become one dataset, as its samples.'}
        {check.state === 'fits' &&
          !combinable &&
          'Select 1 matrix file and 2 metadata files (barcodes and features) to convert to H5AD, or several datasets to combine them.'}
        {/* Said to everybody when it appears. */}
        <span role="status" className="wrap-anywhere">
          {check.text}
        </span>
      </p>
      {combinable && (
        <Button size="sm" disabled={!allowed || states === undefined} onClick={onCombine}>
          Combine {selected.length} samples
        </Button>
      )}
      {convertible && (
        <NameForm
          key={selected.map(({ id }) => id).join()}
          suggested={suggestedName(selected)}
          disabled={check.state !== 'fits' || convert.isPending}
          pending={convert.isPending}
          onSubmit={start}
        />
      )}
    </Alert>
  );
}

interface NameFormProps {
  suggested: string;
  disabled: boolean;
  pending: boolean;
  onSubmit: (name: string) => void;
}

/** The name of the file that is made, and the button that makes it. */
function NameForm({ suggested, disabled, pending, onSubmit }: NameFormProps) {
  const [name, setName] = useState(suggested);
  const problem = isName(name) ? undefined : 'Give the new file a name.';
  return (
    <form
      noValidate
      className="flex min-w-0 flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && problem === undefined) onSubmit(name.trim());
      }}
    >
      <Field label="Name of the new file" className="min-w-52 gap-1 [&_label]:text-xs" error={problem}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={longestConvertedName}
            autoComplete="off"
            className="bg-surface h-8 text-[13px]"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="sm" disabled={disabled || problem !== undefined}>
        {pending && <Spinner />}
        Convert to H5AD
      </Button>
    </form>
  );
}

/** An ending alone is no name: the file gets one of its own. */
function isName(name: string): boolean {
  return (
    name
      .trim()
      .replace(/\.h5ad$/i, '')
      .trim() !== ''
  );
}

const fine: TrioCheck = { state: 'fits', text: '' };

function judge(
  selected: readonly UserFile[],
  states: ConvertBoxProps['states'],
  allowed: boolean,
): TrioCheck {
  if (!allowed) return { state: 'wrong', text: 'Conversion is part of the Professional plan.' };
  if (states === undefined) return fine;
  const known = selected.map(({ id, original_filename }) => ({
    name: original_filename,
    state: states.get(id),
  }));
  if (known.some(({ state }) => state?.converting)) {
    return { state: 'waiting', text: 'One of these files is being converted already.' };
  }
  return checkTrio(
    known.map(({ name, state }) => ({
      name,
      report: state?.report ?? null,
      failed: Boolean(state?.problem),
    })),
  );
}
