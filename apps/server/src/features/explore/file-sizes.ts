import type { FigureFormat } from '@cellfolio/contract';
import { chartPixels, type Figure, figureResolutions } from '@cellfolio/plots';

/** How large the files of a figure are: in pixels, of an SVG in CSS pixels. */
export function fileSizes({
  spec,
  drawing,
}: Figure): Record<FigureFormat, { width: number; height: number }> {
  const pixels = (resolution: 'screen' | 'print') => {
    // A chart of many pixels has fewer of them, cells on an embedding do not.
    if (drawing.points === undefined) return chartPixels(spec.size, resolution);
    const { scale } = figureResolutions[resolution];
    return { width: Math.round(spec.size.width * scale), height: Math.round(spec.size.height * scale) };
  };
  const { width, height } = spec.size;
  return { png: pixels('screen'), 'png-300dpi': pixels('print'), svg: { width, height } };
}
