import { useMemo } from 'react';
import { FigureImage } from '@/components/figure-image.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { readImageData } from '@/features/image-library/image-data.ts';
import { useObjectUrl } from '@/features/image-library/object-url.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { resultTitle } from './analysis-result.ts';

/** The figure of a result as a file; `null` where nothing was drawn, or it cannot be read. */
export function figureFile(result: AnalysisResult): Blob | null {
  const data = result.kind === 'marker' ? result.answer.dotplot_image : result.answer.barplot_image;
  if (data === '') return null;
  try {
    return readImageData(data);
  } catch (error) {
    // The table is worth as much without its figure.
    console.warn('The figure of a result cannot be read.', error);
    return null;
  }
}

/** The dot plot or the bar plot, as wide as its place at most, its room reserved. */
export function ResultFigure({ result }: { result: AnalysisResult }) {
  const file = useMemo(() => figureFile(result), [result]);
  const url = useObjectUrl(file);
  if (file === null) {
    return (
      <EmptyState title="There is nothing to draw">
        <p>{nothingFound(result)}</p>
      </EmptyState>
    );
  }
  const kind = result.kind === 'marker' ? 'Dot plot' : 'Bar plot';
  const { width, height } = figureSize(result);
  return (
    <div
      className="bg-figure mx-auto overflow-hidden rounded-md"
      // Two pixels of the file for each of the page; a figure of many groups is tall, and the place scrolls.
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${width / 2}px)` }}
    >
      {url !== null && <FigureImage src={url} alt={`${kind} of the ${resultTitle(result)}`} />}
    </div>
  );
}

function figureSize({ kind, answer }: AnalysisResult): { width: number; height: number } {
  const [width, height] =
    kind === 'marker'
      ? [answer.dotplot_width, answer.dotplot_height]
      : [answer.barplot_width, answer.barplot_height];
  return { width: Math.max(1, width), height: Math.max(1, height) };
}

/** Why a table is empty, and what to do. */
export function nothingFound(result: AnalysisResult): string {
  return result.kind === 'marker'
    ? 'No gene passes the limits. Raise the adjusted p-value or lower the log fold change, and run it again.'
    : result.answer.sets.tested === 0
      ? 'No gene set shares a gene with the list. Try another library or more genes.'
      : `No gene set shares ${result.answer.minimum_overlap} genes with the list. Lower the minimum overlap, or try another library or more genes.`;
}
