import type { FigureSource } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { FigureImage } from '@/components/figure-image.tsx';
import { FigureReading } from '@/components/figure-reading.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import {
  type DrawingState,
  FittedOver,
  readImageData,
  renderFigure,
  useObjectUrl,
} from '@/features/images/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { figureAlt, useFigureWords } from '@/lib/figure-words.ts';
import { useServices } from '@/lib/services.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import type { AnalysisResult, FigureSetting } from './analysis-module.ts';
import { FigureGenes } from './draw-genes.tsx';
import { plotOf, readResult } from './analysis-module.ts';
import { allWords, isNarrowed, shownFigure, shownWords } from './result-rows.ts';
import type { TableView } from './use-table-view.ts';

/** The figure of a result as a file; `null` when nothing was drawn, or it cannot be decoded. */
export function figureFile(result: AnalysisResult): Blob | null {
  const data = readResult(result).figure.image;
  if (data === '') return null;
  try {
    return readImageData(data);
  } catch (error) {
    // The table is worth as much without its figure.
    console.warn('The figure of a result cannot be read.', error);
    return null;
  }
}

export function ResultFigure({ result }: { result: AnalysisResult }) {
  const file = useMemo(() => figureFile(result), [result]);
  if (file === null) {
    return (
      <EmptyState title="Nothing to draw">
        <p>{readResult(result).nothing?.text ?? 'The figure could not be read.'}</p>
      </EmptyState>
    );
  }
  const { source } = result.answer;
  return <FigureFile file={file} source={source} size={figureSize(result)} alt={resultAlt(result)} />;
}

function resultAlt(result: AnalysisResult): string {
  const { figure, title } = result.module;
  return `${figure[0]}${figure.slice(1).toLowerCase()} of the ${title}`;
}

interface FigureFileProps {
  file: Blob;
  /** Source of the figure; `null` if unknown. */
  source: FigureSource | null;
  /** In pixels. */
  size: { width: number; height: number };
  alt: string;
}

/**
 * A figure at most as wide as its container, with its space reserved; in the dark theme it is redrawn in dark colours.
 */
function FigureFile({ file, source, size: { width, height }, alt }: FigureFileProps) {
  const url = useObjectUrl(file);
  const words = useFigureWords(file);
  const isDark = useShownTheme() === 'dark' && source !== null;
  const [isOver, setOver] = useState(false);
  return (
    <div className="mx-auto flex flex-col gap-2" style={{ width: `min(100%, ${width / 2}px)` }}>
      <div
        className={cn('relative overflow-hidden rounded-md', isDark ? 'bg-surface' : 'bg-figure')}
        onPointerEnter={() => setOver(true)}
        // Two pixels of the file for each of the page; a figure of many groups is tall, and the place scrolls.
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <FittedOver source={isDark ? source : null} asFile>
          {(covered, drawing) => (
            <>
              <div
                className={cn(
                  'size-full',
                  isDark && drawing.pending && !covered && 'opacity-0 print:opacity-100',
                )}
              >
                {url !== null && <FigureImage src={url} alt={figureAlt(alt, words)} />}
              </div>
              {isDark && !covered && <DarkDrawing {...drawing} />}
            </>
          )}
        </FittedOver>
        {isOver && source !== null && <FigureGenes source={source} />}
      </div>
      {words !== undefined && <FigureReading words={words} withCautions={false} />}
    </div>
  );
}

/** Covers the file until the dark version of its figure has loaded: a white sheet would glare. */
function DarkDrawing({ pending, error, retry }: DrawingState) {
  if (error !== null) {
    return (
      <Alert variant="danger" role="alert" className="absolute inset-x-2 top-2 w-auto print:hidden">
        <span className="min-w-0 flex-1 wrap-anywhere">
          The dark version could not be drawn: the light one is shown. {reasonOf(error)}
        </span>
        <Button variant="secondary" size="xs" onClick={retry}>
          Try again
        </Button>
      </Alert>
    );
  }
  if (!pending) return null;
  return (
    <p
      role="status"
      className="bg-surface-2 text-muted absolute inset-0 flex items-center justify-center gap-2 text-[13px] print:hidden"
    >
      <Spinner /> Drawing the figure...
    </p>
  );
}

export function ShownFigure({ result, view }: { result: AnalysisResult; view: TableView }) {
  const { shown, showAll } = view;
  const source = isNarrowed(shown) ? shownFigure(result, view.figure, shown) : null;
  if (source === null) return <ResultFigure result={result} />;
  const words = shownWords(result, shown);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted flex flex-wrap items-center gap-x-2 text-[13px]">
        <span className="wrap-anywhere">{`As in the table: ${words}.`}</span>
        <Button variant="link" size="inline" className="text-[13px]" onClick={showAll}>
          Show {allWords(result)}
        </Button>
      </p>
      <DrawnFigure
        source={source}
        alt={`${resultAlt(result)}, ${words}`}
        word={figureWord(result, view.figure).toLowerCase()}
      />
    </div>
  );
}

interface DrawnFigureProps {
  source: FigureSource;
  alt: string;
  /** Name for the middle of a sentence. */
  word: string;
}

export function DrawnFigure({ source, alt, word }: DrawnFigureProps) {
  const { api } = useServices();
  const drawing = useQuery({
    queryKey: ['result-figure', JSON.stringify(source)],
    // The same source is the same figure.
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const file = await renderFigure(api, source, 'png', signal);
      return { file, size: (await pngSize(file)) ?? { width: 1200, height: 800 } };
    },
  });
  if (drawing.isPending) {
    return (
      <p role="status" className="text-muted flex items-center gap-2 p-4 text-[13px]">
        <Spinner /> Drawing the {word}...
      </p>
    );
  }
  if (drawing.isError) {
    return (
      <Alert variant="danger" role="alert">
        <span className="min-w-0 flex-1 wrap-anywhere">
          The {word} could not be drawn. {reasonOf(drawing.error)}
        </span>
        <Button variant="secondary" size="xs" onClick={() => void drawing.refetch()}>
          Try again
        </Button>
      </Alert>
    );
  }
  return <FigureFile file={drawing.data.file} source={source} size={drawing.data.size} alt={alt} />;
}

export function figureSize(result: AnalysisResult): { width: number; height: number } {
  const { width, height } = readResult(result).figure;
  return { width: Math.max(1, width), height: Math.max(1, height) };
}

export function figureWord(result: AnalysisResult, figure: FigureSetting): string {
  return plotOf(result, figure)?.title ?? result.module.figure;
}

/** Pixel size from the header of a PNG; `null` for other files. */
export async function pngSize(file: Blob): Promise<{ width: number; height: number } | null> {
  const head = new DataView(await file.slice(0, 24).arrayBuffer());
  if (head.byteLength < 24 || head.getUint32(0) !== 0x89504e47) return null;
  return { width: head.getUint32(16), height: head.getUint32(20) };
}

/** `2,400 × 1,280 pixels`. */
export function pixelWords({ width, height }: { width: number; height: number }): string {
  return `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')} pixels`;
}
