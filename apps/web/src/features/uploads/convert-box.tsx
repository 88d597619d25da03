import { isDatasetFile, uploadKind } from '@cellfolio/contract';
import type { Job } from '@cellfolio/contract';
import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { CheckOption } from '@/components/check-list.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { nameList, plural, pluralWord } from '@/lib/format.ts';
import { failureWords, useStartConversions } from './jobs/job-calls.ts';
import { isActive } from './jobs/own-files.ts';
import type { UserFile } from './user-files.ts';
import { cn } from '@/lib/cn.ts';
import { doubtAbout, partOfSample } from './same-names.ts';
import { groupTrios, planSelection, titleOf } from './selection-plan.ts';
import type { Known, SelectionPlan, Trio } from './selection-plan.ts';
import { longestConvertedName, suggestedName } from './trio.ts';

interface ConvertBoxProps extends Known {
  userId: string;
  files: readonly UserFile[];
  selected: readonly UserFile[];
  jobs: readonly Job[];
  converted: readonly string[];
  onStarted: (jobIds: string[], fileIds: string[]) => void;
  onCombine: (files: readonly UserFile[]) => void;
  onSelect: (files: readonly UserFile[]) => void;
  children?: ReactNode;
}

export function ConvertBox({ userId, files, selected, jobs, converted, ...props }: ConvertBoxProps) {
  const { states, byName, allowed, onStarted, onCombine, onSelect, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const ids = selected.map(({ id }) => id).join();
  // The files of which somebody said that they belong together.
  const [sureOf, setSureOf] = useState('');
  const plan = planSelection(selected, { states, byName, allowed });
  const { convert, start } = useConversions({
    userId,
    onStarted: (...started) => {
      onStarted(...started);
      // The button goes with the selection.
      box.current?.focus();
    },
  });
  const usedNames = takenNames(files, jobs);
  const sure = plan.doubts.length === 0 || sureOf === ids;
  const disabled = plan.check.state !== 'fits' || !sure || convert.isPending;
  const odd = plan.check.state === 'wrong' || plan.left.length > 0 || plan.doubts.length > 0;
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      variant={odd ? 'warning' : 'neutral'}
      className={cn(
        'min-h-12 flex-wrap items-center outline-none',
        // The files that are selected may be far down.
        selected.length > 0 && 'shadow-card sticky top-0 z-10',
      )}
    >
      {odd ? <TriangleAlert aria-hidden /> : <Info aria-hidden className="text-muted" />}
      <div className="flex min-w-52 flex-1 flex-col gap-1">
        <PlanText plan={plan} />
        {plan.doubts.length > 0 && (
          <CheckOption checked={sureOf === ids} onChange={(on) => setSureOf(on ? ids : '')}>
            {plan.action === 'convert'
              ? 'These three files belong to one sample.'
              : 'The three files of each matrix belong to one sample.'}
          </CheckOption>
        )}
        {selected.length === 0 && (
          <Converted
            jobs={jobs.filter(({ id }) => converted.includes(id))}
            files={files}
            allowed={allowed}
            onCombine={onCombine}
          />
        )}
        {selected.length === 0 && allowed && (
          <CompleteMatrices
            trios={convertibleTrios(files, jobs, byName)}
            onSelect={(chosen) => {
              onSelect(chosen);
              box.current?.focus();
            }}
          />
        )}
      </div>
      {plan.action === 'combine' && (
        <Button size="sm" disabled={!allowed || states === undefined} onClick={() => onCombine(selected)}>
          Combine {selected.length} samples
        </Button>
      )}
      {plan.action === 'convertSeveral' && (
        <Button size="sm" disabled={disabled} onClick={() => start(namedTrios(plan.trios, usedNames))}>
          {convert.isPending && <Spinner />}
          Convert {plan.trios.length} {pluralWord(plan.trios.length, 'matrix', 'matrices')}
        </Button>
      )}
      {plan.action === 'convert' && (
        <NameForm
          key={ids}
          suggested={suggestedName(selected, usedNames)}
          disabled={disabled}
          pending={convert.isPending}
          onSubmit={(name) => start([{ files: selected, name }])}
        />
      )}
      {children}
    </Alert>
  );
}

function PlanText({ plan: { check, hint, left, doubts } }: { plan: SelectionPlan }) {
  return (
    <>
      <p>
        {hint === '' &&
          check.state === 'fits' &&
          'Select 1 matrix file and 2 metadata files (barcodes and features) to convert to H5AD, or several datasets to combine them.'}
        {/* Said to everybody when it appears. */}
        <span role="status" className="wrap-anywhere">
          {[hint, check.text].filter((text) => text !== '').join(' ')}
        </span>
      </p>
      <div role="status" className="flex flex-col gap-0.5 text-xs wrap-anywhere tabular-nums empty:hidden">
        {[...left, ...doubts.flat()].map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </>
  );
}

interface ConvertedProps extends Pick<ConvertBoxProps, 'jobs' | 'files' | 'allowed' | 'onCombine'> {}

function Converted({ jobs, files, allowed, onCombine }: ConvertedProps) {
  if (jobs.length === 0) return null;
  const active = jobs.filter(isActive).length;
  const convertedFiles = files.filter(({ id }) => jobs.some(({ result_file_id }) => result_file_id === id));
  const failed = jobs.filter(({ state }) => state === 'failed' || state === 'cancelled').length;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="wrap-anywhere">
        {active > 0
          ? `${jobs.filter(({ state }) => state === 'done').length} of ${jobs.length} matrices are converted. Once all are, you can combine them here.`
          : convertedFiles.length > 0 &&
            `Converted: ${nameList(
              convertedFiles.map(({ file_name }) => file_name),
              6,
            )}.`}
        {failed > 0 && ` ${plural(failed, 'conversion')} failed: see Jobs.`}
      </p>
      {active === 0 && convertedFiles.length >= 2 && (
        <Button size="sm" disabled={!allowed} onClick={() => onCombine(convertedFiles)}>
          Combine {convertedFiles.length} samples
        </Button>
      )}
    </div>
  );
}

interface CompleteMatricesProps extends Pick<ConvertBoxProps, 'onSelect'> {
  trios: readonly Trio[];
}

/** Offers matrices whose three files have been uploaded. */
function CompleteMatrices({ trios, onSelect }: CompleteMatricesProps) {
  const [first] = trios;
  if (first === undefined) return null;
  const names = nameList(trios.map(titleOf), 6);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="wrap-anywhere">
        {trios.length === 1
          ? `${names}: matrix, barcodes and features are uploaded.`
          : `Matrices with barcodes and features: ${names}.`}
      </p>
      <Button variant="secondary" size="sm" onClick={() => onSelect(trios.flatMap(({ files }) => files))}>
        {trios.length === 1 ? 'Select its 3 files' : `Select the files of ${trios.length} matrices`}
      </Button>
    </div>
  );
}

/** Matrices with their tables, sent together, that are not converted yet. */
function convertibleTrios(
  files: readonly UserFile[],
  jobs: readonly Job[],
  byName: Known['byName'],
): readonly Trio[] {
  const converted = new Set(
    jobs
      .filter(({ kind, state }) => kind === 'convert' && state !== 'failed' && state !== 'cancelled')
      .flatMap(({ file_ids }) => file_ids),
  );
  const open = files.filter((file) => partOfSample(file) !== undefined && !converted.has(file.id));
  return groupTrios(open).trios.filter((trio) => doubtAbout(trio.files, byName) === null);
}

/** Names that datasets have or will get, in lower case. */
function takenNames(files: readonly UserFile[], jobs: readonly Job[]): ReadonlySet<string> {
  const datasetFiles = files.filter(({ original_filename }) => isDatasetFile(original_filename));
  const coming = jobs.filter((job) => job.kind === 'convert' && isActive(job));
  return new Set([
    ...datasetFiles.map(({ file_name }) => file_name.trim().toLowerCase()),
    ...coming.map(({ name }) => name.replace(/\.h5ad$/i, '').toLowerCase()),
  ]);
}

function namedTrios(trios: readonly Trio[], usedNames: ReadonlySet<string>) {
  const names = new Set(usedNames);
  return trios.map(({ files }) => {
    const name = suggestedName(files, names);
    names.add(name.toLowerCase());
    return { files, name };
  });
}

interface ConversionsOptions extends Pick<ConvertBoxProps, 'userId' | 'onStarted'> {}

function useConversions({ userId, onStarted }: ConversionsOptions) {
  const convert = useStartConversions(userId);
  const start = (trios: readonly { files: readonly UserFile[]; name: string }[]) =>
    convert.mutate(
      trios.map(({ files, name }) => ({ file_ids: files.map(({ id }) => id), file_name: name })),
      {
        onSuccess: ({ begun, refused }) => {
          const [only] = trios;
          if (refused.length > 0) {
            toast.error('Error', {
              description: refused
                .map(({ body, error }) =>
                  trios.length === 1
                    ? failureWords(error)
                    : `${body.file_name} was not converted: ${failureWords(error)}`,
                )
                .join(' '),
            });
          }
          if (begun.length === 0) return;
          toast.success('Conversion Started', {
            description:
              trios.length === 1
                ? `Converting ${matrixName(only!.files)} with ${only!.files.length - 1} metadata files to H5AD format`
                : `Converting ${nameList(
                    begun.map(({ body }) => body.file_name!),
                    6,
                  )} to H5AD format`,
          });
          onStarted(
            begun.map(({ job }) => job.id),
            begun.flatMap(({ body }) => body.file_ids),
          );
        },
      },
    );
  return { convert, start };
}

function matrixName(files: readonly UserFile[]): string | undefined {
  return files.find(({ original_filename }) => uploadKind(original_filename)?.kind === 'matrix')
    ?.original_filename;
}

interface NameFormProps {
  suggested: string;
  disabled: boolean;
  pending: boolean;
  onSubmit: (name: string) => void;
}

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

/** A bare extension is not a valid name. */
function isName(name: string): boolean {
  return (
    name
      .trim()
      .replace(/\.h5ad$/i, '')
      .trim() !== ''
  );
}
