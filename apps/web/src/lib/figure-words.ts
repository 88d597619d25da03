import { type FigureWords, wordsOfFile } from '@cellfolio/figures/words-of-file';
import { useEffect, useState } from 'react';

export type { FigureWords };

/** Cache: a picture is shown in several places at once, each of which reads its words. */
const read = new WeakMap<Blob, Promise<FigureWords | undefined>>();

/**
 * Reads the words of a figure's PNG or SVG; `undefined` for other files and for figures made before words were
 * embedded.
 */
export function readFigureWords(file: Blob): Promise<FigureWords | undefined> {
  const words = read.get(file) ?? file.arrayBuffer().then((bytes) => wordsOfFile(new Uint8Array(bytes)));
  read.set(file, words);
  return words;
}

export function useFigureWords(file: Blob | null | undefined): FigureWords | undefined {
  const [entry, setEntry] = useState<{ file: Blob; words: FigureWords | undefined }>();
  useEffect(() => {
    if (!file) return undefined;
    let left = false;
    const show = (words: FigureWords | undefined) => {
      if (!left) setEntry({ file, words });
    };
    // A picture without words is worth as much.
    readFigureWords(file).then(show, () => show(undefined));
    return () => {
      left = true;
    };
  }, [file]);
  return entry?.file === file ? entry?.words : undefined;
}

export function figureAlt(name: string, words: Pick<FigureWords, 'reading'> | undefined): string {
  return [name, words?.reading ?? ''].filter((part) => part !== '').join('. ');
}

export function figureLegend({ title, reading, cautions }: FigureWords): string {
  return [`${title}.`, reading, ...cautions].join(' ');
}
