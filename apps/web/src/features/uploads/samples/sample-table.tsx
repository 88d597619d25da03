import type { OwnFile } from '@cellfolio/contract';
import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Table, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount } from '@/lib/format.ts';
import { columnProblem, fieldKey, fieldProblems, withValue } from './samples-form.ts';
import type { SampleEntry, SamplesForm } from './samples-form.ts';

interface SampleTableProps {
  form: SamplesForm;
  files: readonly OwnFile[];
  onChange: (form: SamplesForm) => void;
}

export function SampleTable({ form, files, onChange }: SampleTableProps) {
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
