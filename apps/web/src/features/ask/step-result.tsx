import {
  columnsOfTool,
  elementPlace,
  numberText,
  pathSegments,
  type ReplayedCall,
  resultView,
  type ToolTable,
} from '@cellfolio/assistant';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import { type AnswerStep, placeText, type ValuePart } from './model-answer.tsx';
import { cautionsOfResult } from './model-run.ts';

export interface OpenedStep extends AnswerStep {
  /** Absent in the history, which keeps the calls alone. */
  readonly result?: object;
  readonly calls: readonly ReplayedCall[];
  /** The value that was clicked. */
  readonly part?: ValuePart | undefined;
}

/** The result of a step, at the row of a value. */
export function StepResult({ opened, onClose }: { opened: OpenedStep | null; onClose: () => void }) {
  return (
    <Dialog open={opened !== null} onOpenChange={(next) => !next && onClose()}>
      {opened !== null && (
        <DialogContent className="max-w-3xl">
          <div className="pr-8">
            <DialogTitle className="wrap-anywhere">{opened.title}</DialogTitle>
            <DialogDescription className="wrap-anywhere">
              {opened.part
                ? `${placeText(opened.part, opened)}: ${opened.part.value}`
                : 'The result of the step.'}
            </DialogDescription>
          </div>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto">
            {opened.result && <Result step={opened} result={opened.result} />}
            <Calls calls={opened.calls} isOpen={opened.result === undefined} />
          </div>
        </DialogContent>
      )}
    </Dialog>
  );
}

function Result({ step, result }: { step: OpenedStep; result: object }) {
  const { table, ...fields } = result as { table?: ToolTable };
  const cautions = cautionsOfResult(result);
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
  );
  return (
    <>
      {table && <ResultTable table={table} step={step} result={result} />}
      {texts.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-[13px]">
          {texts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">
                {typeof value === 'number' ? numberText(value, undefined) : value}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cautions.length > 0 && (
        <ul aria-label="Cautions of the step" className="text-warning list-disc pl-4 text-xs">
          {cautions.map((text) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Names of genes and numbers stay on one line. */
const isLong = (value: unknown) => String(value ?? '').length > 24;

function ResultTable({ table, step, result }: { table: ToolTable; step: OpenedStep; result: object }) {
  const { columns, rows, total_rows: total } = table;
  const kinds = columnsOfTool(step.tool);
  const place = placeInTable(step.part, result);
  const shows = (value: unknown, column: string) =>
    typeof value === 'number' ? numberText(value, kinds.get(column)?.kind) : String(value ?? '');
  return (
    <div>
      <div className="max-h-[45dvh] overflow-y-auto">
        <Table aria-label={`Table of ${step.title}`}>
          <TableHeader className="bg-surface sticky top-0">
            <TableRow>
              {columns.map(({ name, title }) => (
                <TableHead key={name}>{title}</TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {rows.map((row, at) => (
              <TableRow
                // oxlint-disable-next-line react/no-array-index-key -- rows do not change
                key={at}
                ref={at === place?.row ? toView : undefined}
                aria-current={at === place?.row ? 'true' : undefined}
                className={cn(at === place?.row && 'bg-accent-soft')}
              >
                {columns.map(({ name }, of) => (
                  <TableCell
                    key={name}
                    className={cn(
                      isLong(row[of]) ? 'min-w-48 wrap-anywhere' : 'whitespace-nowrap',
                      at === place?.row && name === place.column && 'font-semibold',
                    )}
                  >
                    {shows(row[of], name)}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <p className="text-muted mt-1 text-xs">
        {formatCount(rows.length)} of {formatCount(total)} rows
      </p>
    </div>
  );
}

function toView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' });
}

function placeInTable(
  part: ValuePart | undefined,
  result: object,
): { row: number; column: string | undefined } | undefined {
  if (part === undefined) return undefined;
  const [first, segment, column] = pathSegments(part.path);
  const { rows } = resultView(result) as { rows?: readonly unknown[] };
  if (first !== 'rows' || segment === undefined || rows === undefined) return undefined;
  const row = elementPlace(rows, segment);
  return row === undefined ? undefined : { row, column };
}

function Calls({ calls, isOpen }: { calls: readonly ReplayedCall[]; isOpen: boolean }) {
  if (calls.length === 0) return null;
  return (
    <details open={isOpen} className="text-xs">
      <summary className="text-muted cursor-pointer">
        Calls that give this result again, without a model
      </summary>
      {calls.map(({ method, path, body }) => (
        <pre
          key={`${method} ${path} ${JSON.stringify(body)}`}
          className="bg-surface-2 mt-1 max-h-60 overflow-auto rounded p-2 wrap-anywhere whitespace-pre-wrap"
        >
          {`${method} ${path}${body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}`}`}
        </pre>
      ))}
    </details>
  );
}
