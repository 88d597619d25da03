import type { FigureSource } from '@cellfolio/contract';
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
import { toast } from '@/components/ui/toast.ts';
import { figureEndings, figureFiles, renderFigure } from '@/features/images/index.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { type TableFormat, tableFormats } from '@/features/tables/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { furtherFigures, plotOf, readResult } from './analysis-module.ts';
import { figureFile, figureSize, figureWord, pixelWords, pngSize } from './result-figure.tsx';
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
  const figures = useFigureFiles(result, view);
  const [first] = figures;
  const menu = (
    <DropdownMenuContent className="max-w-80">
      {figures.map(({ of, heading, files }) => (
        <Fragment key={heading ?? of}>
          {(narrowed || figures.length > 1) && (
            <DropdownMenuLabel className="wrap-anywhere">{heading ?? `Of ${of}`}</DropdownMenuLabel>
          )}
          {files.map(({ label, size, name, blob }) => (
            <DropdownMenuItem
              key={name}
              onSelect={() => save({ name, what: word.toLowerCase(), file: blob })}
            >
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
      <TableDownload result={result} view={view} preparing={preparing} save={save} />
      <SplitButton
        icon={preparing ? <Spinner /> : <Download aria-hidden />}
        text={`Download ${word}`}
        contents={first !== undefined && first.of !== all ? `of ${first.of}` : ''}
        disabled={preparing || first === undefined}
        onClick={() => {
          const plain = first?.files[0];
          if (plain) save({ name: plain.name, what: word.toLowerCase(), file: plain.blob });
        }}
        menuLabel={`Download the ${word.toLowerCase()} in another format`}
        menu={menu}
      />
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
      disabled={preparing || (shown.rows.length === 0 && table.rowCount > 0)}
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
  onClick: () => void;
  /** `null` when there are no choices. */
  menuLabel: string | null;
  menu: ReactNode;
}

export function SplitButton({ icon, text, contents, disabled, onClick, menuLabel, menu }: SplitButtonProps) {
  return (
    <div className="flex items-center gap-1">
      <Button variant="secondary" size="sm" disabled={disabled} onClick={onClick}>
        {icon}
        {text}{' '}
        {contents !== '' && (
          <span className="text-muted max-w-40 truncate" title={contents}>
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

interface FileToSave {
  name: string;
  what: string;
  file: () => Promise<Blob> | Blob;
}

export function useSaveResult() {
  const [preparing, setPreparing] = useState(false);
  const saveNow = async ({ name, what, file }: FileToSave) => {
    setPreparing(true);
    try {
      const blob = await file();
      const size = name.endsWith('.png') ? await pngSize(blob).catch(() => null) : null;
      saveFile(blob, name);
      toast.dismiss(`not-downloaded:${what}`);
      toast.success('Download started', {
        description: size === null ? name : `${name}, ${pixelWords(size)}`,
      });
    } catch (error) {
      console.warn(`${name} was not downloaded.`, error);
      toast.error('Download failed', {
        id: `not-downloaded:${what}`,
        description: `Failed to download the ${what}. Please try again.`,
      });
    } finally {
      setPreparing(false);
    }
  };
  return { preparing, save: (file: FileToSave) => void saveNow(file) };
}

interface FigureFile {
  label: string;
  size: string;
  name: string;
  blob: () => Promise<Blob> | Blob;
}

interface FigureFiles {
  of: string;
  /** Heading, when not derived from the rows. */
  heading?: string;
  files: FigureFile[];
}

function useFigureFiles(result: AnalysisResult, { shown, figure }: TableView): FigureFiles[] {
  const { api } = useServices();
  const figureBlob = useMemo(() => figureFile(result), [result]);
  const source = figureSource(result, figure);
  if (figureBlob === null || source === null) return [];
  const name = plotOf(result, figure)?.file ?? result.module.files.figure;
  const filesOf = (of: FigureSource, base: string): FigureFile[] =>
    figureFiles.map(({ format, name: label, text }) => ({
      label,
      size: text,
      name: `${base}${figureEndings[format]}`,
      blob: () => renderFigure(api, of, format),
    }));
  const whole = { of: allWords(result), files: filesOf(source, name) };
  // As it came with the result, its pixels are known.
  if (source === result.answer.source) {
    const { print } = readResult(result).figure;
    const [plain, large] = whole.files;
    Object.assign(plain!, { size: pixelWords(figureSize(result)), blob: () => figureBlob });
    if (print !== undefined) Object.assign(large!, { size: pixelWords(print) });
  }
  const chosen = isNarrowed(shown) ? shownFigure(result, figure, shown) : null;
  const further = furtherFigures(result).map(({ figure: heading, file, source: of }) => ({
    of: whole.of,
    heading,
    files: filesOf(of, file),
  }));
  if (chosen === null) return [whole, ...further];
  return [
    { of: shownWords(result, shown), files: filesOf(chosen, `${name}${shownEnding(result, shown)}`) },
    whole,
    ...further,
  ];
}
