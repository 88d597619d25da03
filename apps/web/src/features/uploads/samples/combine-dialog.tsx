import { type UserFileRecord, batchProblem } from '@cellfolio/contract';
import { CircleAlert, FileUp, Plus, X } from 'lucide-react';
import { useState, useId, useRef, type ComponentProps, type KeyboardEvent } from 'react';
import { FileButton } from '@/components/file-button.tsx';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural, formatCount } from '@/lib/format.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { failureWords, useStartCombination } from '../jobs/job-calls.ts';
import { StatusLines } from '../jobs/job-progress.tsx';
import type { UserFile } from '../user-files.ts';
import {
  checkSamples,
  formProblem,
  importSamples,
  isOfFiles,
  readSamplesForm,
  samplesForm,
  samplesRequest,
  type Imported,
  type SamplesForm,
  columnProblem,
  fieldKey,
  fieldProblems,
  withValue,
  type SampleEntry,
} from './samples-form.ts';
import { SamplesSettings } from './samples-settings.tsx';

interface CombineDialogProps {
  userId: string;
  selected: readonly UserFile[];
  files: readonly UserFileRecord[];
  onClose: () => void;
  onStarted: () => void;
}

export function CombineDialog({ userId, selected, files, onClose, onStarted }: CombineDialogProps) {
  // What was filled in survives Escape, the browser's Back and a reload.
  const [draft, setDraft] = useDraft<SamplesForm | null>('combine', null, readSamplesForm);
  const [fresh] = useState(() =>
    samplesForm(selected, (id) => files.find(({ file_id }) => file_id === id)?.said),
  );
  const form = draft !== null && isOfFiles(draft, selected) ? draft : fresh;
  const [imported, setImported] = useState<Pick<Imported, 'done' | 'failures'>>({ failures: [] });
  const combine = useStartCombination(userId);
  const check = checkSamples(form, files);
  const problem = formProblem(form);
  const ready = problem === null && check.problems.length === 0 && check.waiting === 0 && !combine.isPending;
  const submit = () => {
    combine.mutate(samplesRequest(form), {
      onSuccess: () => {
        toast.success('Combining Started', {
          description: `${plural(form.entries.length, 'sample')} become one file, which is then inspected.`,
        });
        setDraft(null);
        onStarted();
      },
    });
  };
  return (
    <FormDialog
      title="Combine samples into one dataset"
      description={`The raw counts of ${plural(form.entries.length, 'file')} become one file. The files themselves do not change.`}
      className="lg:max-w-5xl"
      alerts={
        <>
          {check.problems.map(({ fileId, text }) => (
            <Alert key={fileId} variant="warning">
              <span className="wrap-anywhere">{text}</span>
            </Alert>
          ))}
          {check.cautions.map((text) => (
            <Alert key={text} variant="warning" role="status">
              <span className="wrap-anywhere">{text}</span>
            </Alert>
          ))}
        </>
      }
      failure={combine.isError ? failureWords(combine.error) : undefined}
      note={
        check.waiting > 0
          ? `${plural(check.waiting, 'file')} still being inspected.`
          : (problem ??
            `${plural(check.cells, 'cell')} in all. You review quality control before the dataset is built.`)
      }
      submit={{ text: `Combine ${form.entries.length} samples`, ready, pending: combine.isPending }}
      onSubmit={submit}
      onClose={onClose}
    >
      <section aria-labelledby="combine-table" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id="combine-table" className="text-sm font-semibold">
            Samples
          </h3>
          <ImportButton
            onText={(text) => {
              const next = importSamples(form, text);
              setDraft(next.form);
              setImported(next);
            }}
          />
        </div>
        <StatusLines lines={imported.done === undefined ? [] : [imported.done]} />
        {imported.failures.length > 0 && (
          <Alert variant="danger" role="alert">
            <CircleAlert aria-hidden />
            <div className="min-w-0 wrap-anywhere">
              {imported.failures.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </Alert>
        )}
        <SampleTable form={form} files={files} onChange={setDraft} />
      </section>
      <MakeSection form={form} onChange={setDraft} />
    </FormDialog>
  );
}

function MakeSection({ form, onChange }: { form: SamplesForm; onChange: (form: SamplesForm) => void }) {
  const { samples } = samplesRequest(form);
  const batchColumns = ['sample', ...form.columns].filter(
    (column) => batchProblem(column, samples) === undefined,
  );
  return (
    <section aria-labelledby="combine-settings" className="flex flex-col gap-3">
      <h3 id="combine-settings" className="text-sm font-semibold">
        Dataset
      </h3>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <Field label="Name of the new file">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={200}
              autoComplete="off"
              className="h-8 text-[13px]"
              value={form.name}
              onChange={({ target }) => onChange({ ...form, name: target.value })}
            />
          )}
        </Field>
        <Field
          label="Genes"
          hint={
            form.genes === 'all'
              ? 'A gene that a file lacks counts as 0 there.'
              : 'Genes that any file lacks are left out.'
          }
        >
          {(control) => (
            <Select
              value={form.genes}
              onValueChange={(genes) => onChange({ ...form, genes: genes === 'all' ? 'all' : 'shared' })}
            >
              <SelectTrigger {...control} data-size="sm">
                <SelectValue />
              </SelectTrigger>
              <SelectContent>
                <SelectItem value="shared">In all files</SelectItem>
                <SelectItem value="all">In any file</SelectItem>
              </SelectContent>
            </Select>
          )}
        </Field>
      </div>
      <SamplesSettings
        choices={form.choices}
        batchColumns={batchColumns}
        onChange={(choices) => onChange({ ...form, choices })}
      />
    </section>
  );
}

const maxTableBytes = 4 * 2 ** 20;

function ImportButton({ onText }: { onText: (text: string) => void }) {
  return (
    <FileButton
      fileLabel="Table of samples"
      accept=".csv,.tsv,.txt"
      variant="secondary"
      size="sm"
      onFiles={([file]) => {
        if (file.size <= maxTableBytes) void file.text().then(onText);
        else toast.error('Error', { description: 'A table of samples can have at most 4 MB.' });
      }}
    >
      <FileUp aria-hidden />
      Import from CSV
    </FileButton>
  );
}

interface SampleTableProps {
  form: SamplesForm;
  files: readonly UserFileRecord[];
  onChange: (form: SamplesForm) => void;
}

function SampleTable({ form, files, onChange }: SampleTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const columns = ['sample', ...form.columns];
  const problems = fieldProblems(form);
  const cellsOf = (id: string) => {
    const report = files.find(({ file_id }) => file_id === id)?.report;
    return report?.kind === 'h5ad' ? formatCount(report.cells) : '–';
  };
  const move = (event: KeyboardEvent<HTMLInputElement>, line: number, column: number) => {
    const down = event.key === 'ArrowDown' || (event.key === 'Enter' && !event.shiftKey);
    if ((!down && event.key !== 'ArrowUp' && event.key !== 'Enter') || event.nativeEvent.isComposing) return;
    // Enter would send the form.
    event.preventDefault();
    const to = body.current?.querySelector<HTMLInputElement>(
      `[data-cell="${line + (down ? 1 : -1)} ${column}"]`,
    );
    to?.focus();
    to?.select();
  };
  return (
    <div className="flex flex-col gap-2">
      <Table aria-label="Files and their samples">
        <TableHeader>
          <TableRow>
            <TableHead>File</TableHead>
            <TableHead className="text-right">Cells</TableHead>
            {columns.map((column) => (
              <TableHead key={column}>
                <span className="flex items-center gap-1">
                  <span className="max-w-40 truncate" title={column}>
                    {column === 'sample' ? 'Sample' : column}
                  </span>
                  {column !== 'sample' && (
                    <Button
                      type="button"
                      variant="ghost"
                      size="icon-sm"
                      className="size-6"
                      aria-label={`Remove the column ${column}`}
                      onClick={() =>
                        onChange({ ...form, columns: form.columns.filter((one) => one !== column) })
                      }
                    >
                      <X aria-hidden />
                    </Button>
                  )}
                </span>
              </TableHead>
            ))}
            <TableHead>
              <span className="sr-only">Exclude</span>
            </TableHead>
          </TableRow>
        </TableHeader>
        <tbody ref={body}>
          {form.entries.map((entry, line) => (
            <TableRow key={entry.fileId}>
              <TableHead
                scope="row"
                className="max-w-56 truncate text-left font-normal"
                title={entry.fileName}
              >
                {entry.fileName}
              </TableHead>
              <TableCell className="text-right tabular-nums">{cellsOf(entry.fileId)}</TableCell>
              {columns.map((column, place) => (
                <TableCell key={column} className="min-w-28 px-1">
                  <CellInput
                    data-cell={`${line} ${place}`}
                    aria-label={`${column === 'sample' ? 'Sample' : column} of ${entry.fileName}`}
                    problem={problems.get(fieldKey(entry.fileId, column))}
                    value={textOf(entry, column)}
                    onKeyDown={(event) => move(event, line, place)}
                    onChange={({ target }) => onChange(withValue(form, entry.fileId, column, target.value))}
                  />
                </TableCell>
              ))}
              <TableCell>
                <Button
                  type="button"
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Exclude ${entry.fileName}`}
                  disabled={form.entries.length <= 2}
                  onClick={() => onChange({ ...form, entries: form.entries.filter((one) => one !== entry) })}
                >
                  <X aria-hidden />
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <AddColumn form={form} onChange={onChange} />
    </div>
  );
}

function CellInput({ problem, ...props }: ComponentProps<'input'> & { problem: string | undefined }) {
  const id = useId();
  const isWrong = problem !== undefined;
  return (
    <>
      <Input
        className="h-8 px-2 text-[13px]"
        maxLength={500}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? id : undefined}
        {...props}
      />
      {isWrong && (
        <p id={id} className="text-danger px-2 pt-0.5 text-xs">
          {problem}
        </p>
      )}
    </>
  );
}

function textOf({ sample, values }: SampleEntry, column: string): string {
  return column === 'sample' ? sample : (new Map(Object.entries(values)).get(column) ?? '');
}

function AddColumn({ form, onChange }: Pick<SampleTableProps, 'form' | 'onChange'>) {
  const [name, setName] = useState('');
  const problem = name === '' ? null : columnProblem(form, name);
  const add = () => {
    if (name === '' || problem !== null) return;
    onChange({ ...form, columns: [...form.columns, name.trim()] });
    setName('');
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        className="h-8 w-60 text-[13px]"
        aria-label="Name of the new column"
        placeholder="Another column, such as sex"
        maxLength={500}
        value={name}
        aria-invalid={problem !== null || undefined}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button
        type="button"
        variant="secondary"
        size="sm"
        disabled={name === '' || problem !== null}
        onClick={add}
      >
        <Plus aria-hidden />
        Add column
      </Button>
      {problem !== null && (
        <p role="alert" className="text-danger text-xs">
          {problem}
        </p>
      )}
    </div>
  );
}
