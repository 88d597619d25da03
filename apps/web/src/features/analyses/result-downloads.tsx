import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import type { ResultTable } from './result-columns.ts';
import { figureWord } from './result-figure.tsx';
import type { ShownRows } from './shown-rows.ts';
import { allWords, isNarrowed, shownCsv, shownEnding, shownWords } from './shown-rows.ts';
import { useFigureFiles, useSaveResult } from './use-result-files.ts';

interface ResultDownloadsProps {
  result: AnalysisResult;
  table: ResultTable;
  shown: ShownRows;
}

/**
 * The rows that the table shows as CSV and their figure as PNG, or drawn anew for print and editing; where rows are
 * hidden the buttons say what they save, and the menus beside them have all of it. A bar plot is always of the whole
 * result.
 */
export function ResultDownloads({ result, table, shown }: ResultDownloadsProps) {
  const { save, preparing } = useSaveResult();
  const { files: file, figure } = result.module;
  const word = figureWord(result);
  const narrowed = isNarrowed(shown);
  const words = shownWords(result, shown);
  const all = allWords(result, table);
  const ending = shownEnding(result, shown);
  const csv = (contents: string) => () => new Blob([contents], { type: 'text/csv;charset=utf-8' });
  const saveShown = () =>
    save({ name: `${file.table}${ending}.csv`, what: 'CSV', file: csv(shownCsv(result, table, shown)) });
  const saveWhole = () => save({ name: `${file.table}.csv`, what: 'CSV', file: csv(readResult(result).csv) });
  const figures = useFigureFiles(result, table, shown);
  const [first] = figures;
  const menu = (
    <DropdownMenuContent className="max-w-80">
      {figures.map(({ of, files }) => (
        <Fragment key={of}>
          {narrowed && <DropdownMenuLabel className="wrap-anywhere">{`Of ${of}`}</DropdownMenuLabel>}
          {files.map(({ label, size, name, blob }) => (
            <DropdownMenuItem key={name} onSelect={() => save({ name, what: word, file: blob })}>
              <span>
                {label}
                <span className="text-muted block text-xs tabular-nums">{size}</span>
              </span>
            </DropdownMenuItem>
          ))}
        </Fragment>
      ))}
    </DropdownMenuContent>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SplitButton
        icon={<FileSpreadsheet aria-hidden />}
        text="Download CSV"
        contents={narrowed ? `of ${words}` : ''}
        disabled={preparing || (shown.rows.length === 0 && table.rowCount > 0)}
        onClick={saveShown}
        menuLabel={narrowed ? 'Choose the rows of the CSV' : null}
        menu={
          <DropdownMenuContent className="max-w-80">
            <DropdownMenuItem disabled={shown.rows.length === 0} onSelect={saveShown}>
              <span className="wrap-anywhere">CSV of {words}</span>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={saveWhole}>CSV of {all}</DropdownMenuItem>
          </DropdownMenuContent>
        }
      />
      <SplitButton
        icon={preparing ? <Spinner /> : <Download aria-hidden />}
        text={`Download ${figure}`}
        contents={first !== undefined && first.of !== all ? `of ${first.of}` : ''}
        disabled={preparing || first === undefined}
        onClick={() => {
          const plain = first?.files[0];
          if (plain) save({ name: plain.name, what: word, file: plain.blob });
        }}
        menuLabel={`Download the ${word} in another format`}
        menu={menu}
      />
    </div>
  );
}

interface SplitButtonProps {
  icon: ReactNode;
  text: string;
  /** What is saved, where that is not all; empty otherwise. */
  contents: string;
  disabled: boolean;
  onClick: () => void;
  /** `null` where there is nothing to choose from. */
  menuLabel: string | null;
  menu: ReactNode;
}

function SplitButton({ icon, text, contents, disabled, onClick, menuLabel, menu }: SplitButtonProps) {
  return (
    <div className="flex items-center gap-1">
      <Button variant="secondary" size="sm" disabled={disabled} onClick={onClick}>
        {icon}
        {text}{' '}
        {contents !== '' && (
          <span className="text-muted max-w-56 truncate" title={contents}>
            {contents}
          </span>
        )}
      </Button>
      {menuLabel !== null && (
        <DropdownMenu modal={false}>
          <DropdownMenuTrigger asChild>
            <Button
              variant="secondary"
              size="icon-sm"
              className="size-8"
              disabled={disabled}
              aria-label={menuLabel}
            >
              <ChevronDown aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          {menu}
        </DropdownMenu>
      )}
    </div>
  );
}
