import type { FigureView } from '@cellfolio/contract';
import { mostViewPixels } from '@cellfolio/contract';
import type { Size } from './use-resting-size.ts';

/** What the server draws at least and at most, in CSS pixels a side. */
const least = 120;
const most = 4096;

/**
 * What to draw for a place of a size in CSS pixels, as sharp as it can be seen and the server draws: `ratio` is device
 * pixels a CSS pixel. `null` for a place too small or too large to draw for.
 */
export function viewOf(
  { width, height }: Size,
  { ratio, theme, whole }: { ratio: number; theme: FigureView['theme']; whole: boolean },
): FigureView | null {
  if (Math.min(width, height) < least || Math.max(width, height) > most) return null;
  const sharpest = Math.sqrt(mostViewPixels / (width * height));
  if (sharpest < 1) return null;
  const shown = Math.min(4, sharpest, Math.max(1, ratio));
  return { width, height, ratio: Math.floor(shown * 100) / 100, theme, whole };
}
