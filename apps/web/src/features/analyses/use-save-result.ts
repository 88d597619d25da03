import type { FigureSource } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import {
  type DownloadableFigure,
  figureEndings,
  figureFileSizes,
  renderFigure,
} from '@/features/images/index.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { pixelWords, pngSize } from './result-figure.tsx';

export interface FileToSave {
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

export interface FigureToSave {
  source: FigureSource;
  title: string;
  /** Name for the middle of a sentence. */
  word: string;
  /** File name without extension. */
  file: string;
}

/** Makes figures downloadable, drawn from their source for each file. */
export function useDownloadable(
  save: (file: FileToSave) => void,
): (figure: FigureToSave) => DownloadableFigure {
  const { api } = useServices();
  return ({ source, title, word, file: name }) => ({
    title,
    sizesOf: (file, signal) => figureFileSizes(api, source, { file }, signal),
    onSave: (format, file) =>
      save({
        name: `${name}${figureEndings[format]}`,
        what: word,
        file: () => renderFigure(api, source, format, undefined, { file }),
      }),
  });
}
