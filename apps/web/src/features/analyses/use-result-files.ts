import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import { useMemo, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { renderFigure } from '@/features/images/index.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { pixelWords, pngSize } from './png-size.ts';
import type { ResultTable } from './result-columns.ts';
import { figureFile, figureSize } from './result-figure.tsx';
import type { ShownRows } from './shown-rows.ts';
import { allWords, isNarrowed, shownFigure, shownEnding, shownWords } from './shown-rows.ts';

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

export interface FigureFile {
  label: string;
  /** What it is for, and its pixels where they are known before it is drawn. */
  size: string;
  name: string;
  blob: () => Promise<Blob> | Blob;
}

/** The figures that can be saved: of the rows that are shown, where that makes a difference, and of all. */
export function useFigureFiles(
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
