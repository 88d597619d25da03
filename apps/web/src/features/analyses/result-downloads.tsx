import type { FigureFormat, FigureSource } from '@cellfolio/contract';
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
import { renderFigure } from '@/features/images/index.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { figureFile, figureSize, figureWord, pixelWords, pngSize } from './result-figure.tsx';
import type { ShownRows } from './result-rows.ts';
import { allWords, isNarrowed, shownCsv, shownEnding, shownFigure, shownWords } from './result-rows.ts';
import type { ResultTable } from './result-table.ts';

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
  /** As the notice of a failure names it. */
  what: string;
  file: () => Promise<Blob> | Blob;
}

/** Saves files of results one after the other; the notice says how large a picture is. */
export function useSaveResult() {
  const [preparing, setPreparing] = useState(false);
  const saveNow = async ({ name, what, file }: FileToSave) => {
    setPreparing(true);
    try {
      const made = await file();
      const size = name.endsWith('.png') ? await pngSize(made).catch(() => null) : null;
      saveFile(made, name);
      toast.success('Download started', {
        description: size === null ? name : `${name}, ${pixelWords(size)}`,
      });
    } catch (error) {
      console.warn(`${name} was not downloaded.`, error);
      toast.error('Download failed', { description: `Failed to download the ${what}. Please try again.` });
    } finally {
      setPreparing(false);
    }
  };
  return { preparing, save: (file: FileToSave) => void saveNow(file) };
}

interface FigureFile {
  label: string;
  /** What it is for, and its pixels where they are known before it is drawn. */
  size: string;
  name: string;
  blob: () => Promise<Blob> | Blob;
}

/** The figures that can be saved: of the rows that are shown, where that makes a difference, and of all. */
function useFigureFiles(
  result: AnalysisResult,
  table: ResultTable,
  shown: ShownRows,
): { of: string; files: FigureFile[] }[] {
  const { api } = useServices();
  const drawn = useMemo(() => figureFile(result), [result]);
  const { source } = result.answer;
  if (drawn === null || source === null) return [];
  const name = result.module.files.figure;
  const anew = (of: FigureSource, format: FigureFormat) => () => renderFigure(api, of, format);
  const { print } = readResult(result).figure;
  const whole = {
    of: allWords(result, table),
    files: [
      { label: 'PNG', size: pixelWords(figureSize(result)), name: `${name}.png`, blob: () => drawn },
      {
        label: 'PNG, 300 dpi',
        size: print === undefined ? 'For print' : pixelWords(print),
        name: `${name}_300dpi.png`,
        blob: anew(source, 'png-300dpi'),
      },
      {
        label: 'SVG',
        size: 'For editing: type stays text',
        name: `${name}.svg`,
        blob: anew(source, 'svg'),
      },
    ],
  };
  const chosen = isNarrowed(shown) ? shownFigure(result, table, shown) : null;
  if (chosen === null) return [whole];
  const part = `${name}${shownEnding(result, shown)}`;
  return [
    {
      of: shownWords(result, shown),
      files: [
        { label: 'PNG', size: 'For the screen', name: `${part}.png`, blob: anew(chosen, 'png') },
        {
          label: 'PNG, 300 dpi',
          size: 'For print: at least as many pixels',
          name: `${part}_300dpi.png`,
          blob: anew(chosen, 'png-300dpi'),
        },
        {
          label: 'SVG',
          size: 'For editing: type stays text',
          name: `${part}.svg`,
          blob: anew(chosen, 'svg'),
        },
      ],
    },
    whole,
  ];
}
