import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import type { ResultTable } from './result-columns.ts';
import { exactCell, formatCell, previewRows } from './result-columns.ts';
import { ResultFigure } from './result-figure.tsx';

/** The first and last five rows, and the figure below them. */
export function ResultPreview({ result, table }: { result: AnalysisResult; table: ResultTable }) {
  if (table.rowCount === 0) {
    const nothing = readResult(result).nothing;
    return (
      <EmptyState title={nothing?.title ?? 'Nothing was found'}>
        <p>{nothing?.text}</p>
      </EmptyState>
    );
  }
  const { first, last, between } = previewRows(table.rowCount);
  const row = (at: number) => (
    <TableRow key={at}>
      {table.columns.map((column) => (
        <TableCell
          key={column.name}
          className={column.numbers ? 'text-right tabular-nums' : 'max-w-72 truncate'}
          title={exactCell(column, at)}
        >
          {formatCell(column, at)}
        </TableCell>
      ))}
    </TableRow>
  );
  return (
    <div className="flex flex-col gap-4">
      <Table aria-label={`Preview of the ${result.module.title}`}>
        <TableHeader>
          <TableRow>
            {table.columns.map(({ name, label, numbers }) => (
              <TableHead key={name} className={numbers ? 'text-right' : ''} title={name}>
                {label}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {first.map(row)}
          {between > 0 && (
            <TableRow className="bg-surface-2">
              <TableCell colSpan={table.columns.length} className="text-muted text-center text-xs">
                {between === 1 ? '1 more row' : `${formatCount(between)} more rows`} in the full table
              </TableCell>
            </TableRow>
          )}
          {last.map(row)}
        </TableBody>
      </Table>
      <ResultFigure result={result} />
    </div>
  );
}
