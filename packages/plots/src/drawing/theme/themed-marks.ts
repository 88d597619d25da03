import type { AreaMark, Mark } from '../scene/scene.ts';
import { themedInk } from './themed-ink.ts';
import type { FigureTheme } from './themed-ink.ts';

/** Marks with their inks in a theme. */
export function themedMarks<M extends Mark | AreaMark>(
  marks: readonly M[],
  theme: FigureTheme,
): readonly M[] {
  return theme === 'light' ? marks : marks.map((mark) => themedMark(mark, theme));
}

function themedMark<M extends Mark | AreaMark>(mark: M, theme: FigureTheme): M {
  if (mark.kind === 'ramp') return mark;
  const colour = themedInk(mark.colour, theme);
  if (mark.kind !== 'dot' || mark.edge === undefined) return { ...mark, colour };
  return { ...mark, colour, edge: { ...mark.edge, colour: themedInk(mark.edge.colour, theme) } };
}
