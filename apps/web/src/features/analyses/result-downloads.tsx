import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Fragment, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
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

/**
 * Downloads of the table's visible rows and their figure, in several formats; when rows are hidden, the buttons name
 * what they save, and their menus offer everything. A bar plot always shows the whole result.
 */
export function ResultDownloads({ result, view }: ResultDownloadsProps) {
  const { save, preparing } = useSaveResult();
  const word = figureWord(result, view.figure);
  const narrowed = isNarrowed(view.shown);
  const all = allWords(result);
  const figures = useOfferedFigures(result, view, save);
  const { itemsOf, dialog } = useFigureDownloads();
  const [first] = figures;
  const menu = (
    <DropdownMenuContent className="max-w-80 min-w-56">
      {figures.map(({ of, heading, ...figure }) => (
        <Fragment key={heading ?? of}>
          {(narrowed || figures.length > 1) && (
            <DropdownMenuLabel className="wrap-anywhere">{heading ?? `Of ${of}`}</DropdownMenuLabel>
          )}
          {itemsOf(figure)}
        </Fragment>
      ))}
    </DropdownMenuContent>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TableDownload result={result} view={view} preparing={preparing} save={save} />
      <SplitButton
        icon={preparing ? <Spinner /> : <Download aria-hidden />}
        text={`Download ${word}`}
        contents={first !== undefined && first.of !== all ? `of ${first.of}` : ''}
        disabled={first === undefined}
        preparing={preparing}
        onClick={() => first?.onSave('png')}
        menuLabel={`Download the ${word.toLowerCase()} in another format`}
        menu={menu}
      />
      {dialog}
    </div>
  );
}

interface TableDownloadProps extends ResultDownloadsProps {
  preparing: boolean;
  save: (file: FileToSave) => void;
}

function TableDownload({ result, view, preparing, save }: TableDownloadProps) {
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
  const [first] = parts;
  const saveAs = ({ ending, rows, notes }: (typeof parts)[number], { id, label }: TableFormat) =>
    save({
      name: `${result.module.files.table}${ending}.${id}`,
      what: label,
      file: () => table.file(id, rows, notes),
    });
  return (
    <SplitButton
      icon={<FileSpreadsheet aria-hidden />}
      text="Download CSV"
      contents={narrowed ? `of ${words}` : ''}
      disabled={shown.rows.length === 0 && table.rowCount > 0}
      preparing={preparing}
      onClick={() => saveAs(first!, tableFormats[0]!)}
      menuLabel="Choose the rows and the format of the table"
      menu={
        <DropdownMenuContent className="max-w-80">
          {parts.map((part) => (
            <Fragment key={part.ending === '' && part.rows === undefined ? 'all' : 'shown'}>
              {parts.length > 1 && (
                <DropdownMenuLabel className="wrap-anywhere">{`Of ${part.of}`}</DropdownMenuLabel>
              )}
              {tableFormats.map((format) => {
                const count = part.rows?.length ?? table.fileRows;
                const sheets = Math.ceil(count / (format.sheetRows ?? Infinity));
                return (
                  <DropdownMenuItem
                    key={format.id}
                    aria-label={`${format.label} of ${part.of}`}
                    onSelect={() => saveAs(part, format)}
                  >
                    <span>
                      {format.label}
                      <span className="text-muted block text-xs">
                        {sheets > 1
                          ? `${sheets} sheets: one holds ${formatCount(format.sheetRows ?? 0)} rows`
                          : format.hint}
                      </span>
                    </span>
                  </DropdownMenuItem>
                );
              })}
            </Fragment>
          ))}
        </DropdownMenuContent>
      }
    />
  );
}

function sortedWords(result: AnalysisResult): string {
  return isCutOff(result) ? `${plural(result.table.rowCount, 'row')} on the page` : allWords(result);
}

interface SplitButtonProps {
  icon: ReactNode;
  text: string;
  /** Names the saved part; empty for everything. */
  contents: string;
  disabled: boolean;
  /** While a file is prepared the buttons keep the focus, and do nothing. */
  preparing: boolean;
  onClick: () => void;
  menuLabel: string;
  menu: ReactNode;
}

export function SplitButton(props: SplitButtonProps) {
  const { icon, text, contents, disabled, preparing, onClick, menuLabel, menu } = props;
  const [open, setOpen] = useState(false);
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="secondary"
        size="sm"
        disabled={disabled}
        aria-disabled={preparing}
        onClick={() => !preparing && onClick()}
      >
        {icon}
        {text}{' '}
        {contents !== '' && (
          <span className="text-muted max-w-40 truncate" title={contents}>
            {contents}
          </span>
        )}
      </Button>
      <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && !preparing)}>
        <DropdownMenuTrigger asChild>
          <Button
            variant="secondary"
            size="icon-sm"
            className="size-8"
            disabled={disabled}
            aria-disabled={preparing}
            aria-label={menuLabel}
          >
            <ChevronDown aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        {menu}
      </DropdownMenu>
    </div>
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
