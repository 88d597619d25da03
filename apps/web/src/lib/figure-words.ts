import { type FigureWords, wordsOfFile } from '@cellfolio/plots/words-of-file';
import { useEffect, useState } from 'react';

export type { FigureWords };

/** A picture is shown in several places at once, each of which asks for its words. */
const read = new WeakMap<Blob, Promise<FigureWords | undefined>>();

/** The words in a PNG or SVG of a figure; `undefined` in other files, and in those from before figures had words. */
export function readFigureWords(file: Blob): Promise<FigureWords | undefined> {
  const words = read.get(file) ?? file.arrayBuffer().then((bytes) => wordsOfFile(new Uint8Array(bytes)));
  read.set(file, words);
  return words;
}

/** The same of a file that is shown; `undefined` until it is read. */
export function useFigureWords(file: Blob | null | undefined): FigureWords | undefined {
  const [found, setFound] = useState<{ file: Blob; words: FigureWords | undefined }>();
  useEffect(() => {
    if (!file) return undefined;
    let left = false;
    const show = (words: FigureWords | undefined) => {
      if (!left) setFound({ file, words });
    };
    // A picture without words is worth as much.
    readFigureWords(file).then(show, () => show(undefined));
    return () => {
      left = true;
    };
  }, [file]);
  return found?.file === file ? found?.words : undefined;
}

/** What readers of the screen say of a figure: its name on the page, then what it shows. */
export function figureAlt(name: string, words: Pick<FigureWords, 'reading'> | undefined): string {
  return [name, words?.reading ?? ''].filter((part) => part !== '').join('. ');
}

/** A legend to paste below the figure. */
export function figureLegend({ title, reading, cautions }: FigureWords): string {
  return [`${title}.`, reading, ...cautions].join(' ');
}
