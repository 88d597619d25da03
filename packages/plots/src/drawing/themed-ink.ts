import { MISSING_GREY } from './colour/category-colours.ts';
import { OUTSIDE_GREY, ZERO_GREY } from './colour/ramps.ts';
import {
  DOT_EDGE,
  GRID,
  HAIRLINE,
  INK,
  LEGEND_GREY,
  NOT_SIGNIFICANT,
  PAPER,
  REST_GREY,
  SIGNIFICANT,
  SOFT_INK,
  ZERO_LINE,
} from './scene/style.ts';
import type { AreaMark, Mark } from './scene/scene.ts';

/** Figures for paper are light. Dark ones stand on the surface of the cards of the app, and are only looked at. */
export type FigureTheme = 'light' | 'dark';

/** Type keeps the contrasts of the app; greys stand as far from the ground as theirs from white. */
const darkInks: ReadonlyMap<string, string> = new Map([
  [PAPER, '#16191f'],
  [INK, '#e8eaee'],
  [SOFT_INK, '#a0a8b5'],
  [GRID, '#2b303a'],
  [ZERO_LINE, '#6b7482'],
  [HAIRLINE, '#282d36'],
  [DOT_EDGE, '#b98f88'],
  [LEGEND_GREY, '#7d8592'],
  [SIGNIFICANT, '#6f9de0'],
  [NOT_SIGNIFICANT, '#4a515d'],
  [ZERO_GREY, '#343a45'],
  [OUTSIDE_GREY, '#22262e'],
  [MISSING_GREY, '#4d5460'],
  [REST_GREY, '#8b93a0'],
]);

/** An ink in a theme; colours that are not ours to change, as those of categories, stay. */
export function themedInk(ink: string, theme: FigureTheme): string {
  return theme === 'light' ? ink : (darkInks.get(ink) ?? ink);
}

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
