import { missingGrey } from './colour/category-colours.ts';
import { outsideGrey, zeroGrey } from './colour/ramps.ts';
import {
  dotEdge,
  errorBand,
  gridColour,
  hairlineColour,
  inkColour,
  legendGrey,
  notSignificant,
  paperColour,
  raised,
  restGrey,
  significant,
  softInk,
  zeroLineColour,
} from './scene/style.ts';
import type { VectorMark } from './scene/scene.ts';

/** `light` is for paper. `dark` is for the app's cards, on screen only. */
export type FigureTheme = 'light' | 'dark';

/** Type keeps the contrasts of the app; greys are as far from the background as the light ones from white. */
const darkInks: ReadonlyMap<string, string> = new Map([
  [paperColour, '#16191f'],
  [inkColour, '#e8eaee'],
  [softInk, '#a0a8b5'],
  [gridColour, '#2b303a'],
  [zeroLineColour, '#6b7482'],
  [hairlineColour, '#282d36'],
  [dotEdge, '#b98f88'],
  [legendGrey, '#7d8592'],
  [significant, '#6f9de0'],
  [errorBand, '#2c3d57'],
  [raised, '#e88a74'],
  [notSignificant, '#4a515d'],
  [zeroGrey, '#343a45'],
  [outsideGrey, '#22262e'],
  [missingGrey, '#4d5460'],
  [restGrey, '#8b93a0'],
]);

/** An ink in a theme; other colours, such as those of categories, stay. */
export function themedInk(ink: string, theme: FigureTheme): string {
  return theme === 'light' ? ink : (darkInks.get(ink) ?? ink);
}

export function themedMarks<M extends VectorMark>(marks: readonly M[], theme: FigureTheme): readonly M[] {
  return theme === 'light' ? marks : marks.map((mark) => themedMark(mark, theme));
}

function themedMark<M extends VectorMark>(mark: M, theme: FigureTheme): M {
  if (mark.kind === 'ramp' || mark.kind === 'pixels') return mark;
  const colour = themedInk(mark.colour, theme);
  if (mark.kind !== 'dot' || mark.edge === undefined) return { ...mark, colour };
  return { ...mark, colour, edge: { ...mark.edge, colour: themedInk(mark.edge.colour, theme) } };
}
