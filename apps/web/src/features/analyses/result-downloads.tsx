import { ChevronDown, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { type DownloadableFigure, figureEndings, useFigureDownloads } from '@/features/images/index.ts';
import { type TableFormat, tableFormats } from '@/features/tables/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { furtherFigures, plotOf, readResult } from './analysis-module.ts';
import { figureFile, figureSize, figureWord, pixelWords } from './result-figure.tsx';
import {
  allWords,
  figureSource,
  isCutOff,
  isNarrowed,
  shownEnding,
  shownFigure,
  shownNotes,
  shownWords,
} from './result-rows.ts';
import { type FileToSave, useDownloadable, useSaveResult } from './use-save-result.ts';
import type { TableView } from './use-table-view.ts';

interface ResultDownloadsProps {
  result: AnalysisResult;
  view: TableView;
}

/** Downloads of the table's visible rows and their figure; when rows are hidden, also of everything. */
export function ResultDownloads({ result, view }: ResultDownloadsProps) {
  const { save, preparing } = useSaveResult();
  const narrowed = isNarrowed(view.shown);
  const figures = useOfferedFigures(result, view, save);
  const { itemsOf, dialog } = useFigureDownloads();
  return (
    <>
      <DownloadMenu preparing={preparing} disabled={result.table.rowCount === 0 && figures.length === 0}>
        <TableItems result={result} view={view} save={save} />
        {figures.map(({ of, heading, ...figure }) => {
          const label = heading ?? (narrowed ? `${figure.title} of ${of}` : figure.title);
          return (
            <div key={label} role="group" aria-label={label}>
              <DropdownMenuSeparator />
              <DropdownMenuLabel className="wrap-anywhere">{label}</DropdownMenuLabel>
              {itemsOf(figure)}
            </div>
          );
        })}
      </DownloadMenu>
      {dialog}
    </>
  );
}

interface TableItemsProps extends ResultDownloadsProps {
  save: (file: FileToSave) => void;
}

function TableItems({ result, view, save }: TableItemsProps) {
  const { shown } = view;
  const { table } = result;
  const narrowed = isNarrowed(shown);
  const words = shownWords(result, shown);
  const parts = [
    ...(narrowed || shown.sorted
      ? [
          {
            of: narrowed ? words : `${sortedWords(result)}, sorted as shown`,
            ending: shownEnding(result, shown),
            rows: shown.rows,
            notes: shownNotes(result, shown),
          },
        ]
      : []),
    { of: allWords(result), ending: '', rows: undefined, notes: table.notes },
  ];
  const saveAs = ({ ending, rows, notes }: (typeof parts)[number], { id, label }: TableFormat) =>
    save({
      name: `${result.module.files.table}${ending}.${id}`,
      what: label,
      file: () => table.file(id, rows, notes),
    });
  return parts.map((part) => (
    <div key={part.rows === undefined ? 'all' : 'shown'} role="group" aria-label={`Table of ${part.of}`}>
      <DropdownMenuLabel className="wrap-anywhere">{`Table of ${part.of}`}</DropdownMenuLabel>
      {tableFormats.map((format) => {
        const count = part.rows?.length ?? table.fileRows;
        const sheets = Math.ceil(count / (format.sheetRows ?? Infinity));
        return (
          <DropdownMenuItem
            key={format.id}
            aria-label={`${format.label} of ${part.of}`}
            disabled={count === 0}
            className="justify-between gap-4"
            onSelect={() => saveAs(part, format)}
          >
            {format.label}
            <span className="text-muted text-xs">
              {sheets > 1
                ? `${sheets} sheets: one holds ${formatCount(format.sheetRows ?? 0)} rows`
                : format.hint}
            </span>
          </DropdownMenuItem>
        );
      })}
    </div>
  ));
}

function sortedWords(result: AnalysisResult): string {
  return isCutOff(result) ? `${plural(result.table.rowCount, 'row')} on the page` : allWords(result);
}

interface DownloadMenuProps {
  /** While a file is prepared the button keeps the focus, and opens nothing. */
  preparing: boolean;
  disabled: boolean;
  children: ReactNode;
}

export function DownloadMenu({ preparing, disabled, children }: DownloadMenuProps) {
  const [open, setOpen] = useState(false);
  return (
    <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && !preparing)}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" disabled={disabled} aria-disabled={preparing}>
          {preparing ? <Spinner /> : <Download aria-hidden />}
          Download
          <ChevronDown aria-hidden className="size-3.5!" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-h-(--radix-dropdown-menu-content-available-height) w-72 overflow-y-auto">
        {children}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

interface OfferedFigure extends DownloadableFigure {
  of: string;
  /** Heading, when not derived from the rows. */
  heading?: string;
}

function useOfferedFigures(
  result: AnalysisResult,
  { shown, figure }: TableView,
  save: (file: FileToSave) => void,
): OfferedFigure[] {
  const downloadable = useDownloadable(save);
  const figureBlob = useMemo(() => figureFile(result), [result]);
  const source = figureSource(result, figure);
  if (figureBlob === null || source === null) return [];
  const title = figureWord(result, figure);
  const word = title.toLowerCase();
  const name = plotOf(result, figure)?.file ?? result.module.files.figure;
  const whole: OfferedFigure = { of: allWords(result), ...downloadable({ source, title, word, file: name }) };
  // As it came with the result, its pixels are known.
  if (source === result.answer.source) {
    const { onSave } = whole;
    const { print } = readResult(result).figure;
    whole.sizes = {
      png: pixelWords(figureSize(result)),
      ...(print !== undefined && { 'png-300dpi': pixelWords(print) }),
    };
    whole.onSave = (format, file) =>
      format === 'png' && file === undefined
        ? save({ name: `${name}${figureEndings.png}`, what: word, file: () => figureBlob })
        : onSave(format, file);
  }
  const chosen = isNarrowed(shown) ? shownFigure(result, figure, shown) : null;
  const further = furtherFigures(result).map(({ figure: heading, file, source: of }): OfferedFigure =>
    Object.assign(downloadable({ source: of, title: heading, word, file }), { of: whole.of, heading }),
  );
  if (chosen === null) return [whole, ...further];
  const file = `${name}${shownEnding(result, shown)}`;
  return [
    { of: shownWords(result, shown), ...downloadable({ source: chosen, title, word, file }) },
    whole,
    ...further,
  ];
}
