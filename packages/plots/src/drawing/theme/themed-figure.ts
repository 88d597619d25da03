import { darkExpressionRamp } from '../colour/expression-ramp.ts';
import { darkScoreRamp } from '../colour/score-ramp.ts';
import { darkMeanRamp } from '../../dot-plot/mean-ramp.ts';
import type { FigureSpec } from '../figure.ts';
import type { AreaMark, Mark } from '../scene/scene.ts';
import { themedInk } from './themed-ink.ts';
import type { FigureTheme } from './themed-ink.ts';

/**
 * The spec with the colours of its cells in a theme. Categories keep theirs, which stand out from both grounds; ramps
 * turn round, since on a dark ground it is the light that stands out.
 */
export function themedSpec<Spec extends FigureSpec>(spec: Spec, theme: FigureTheme): Spec {
  return theme === 'light' ? spec : ({ ...spec, ...darkParts(spec) } as Spec);
}

function darkParts(spec: FigureSpec): object {
  const dark = (ink: string): string => themedInk(ink, 'dark');
  switch (spec.kind) {
    case 'gene-umap': {
      const { zero, outside } = spec.colours;
      return { colours: { ramp: darkExpressionRamp, zero: dark(zero), outside: dark(outside) } };
    }
    case 'score-umap':
      return { colours: { ramp: darkScoreRamp, outside: dark(spec.colours.outside) } };
    case 'category-umap':
    case 'highlight-umap':
      return {
        colours: Object.fromEntries(Object.entries(spec.colours).map(([name, ink]) => [name, dark(ink)])),
        ...(spec.rest && { rest: { ...spec.rest, colour: dark(spec.rest.colour) } }),
      };
    case 'dot-plot':
      return { colours: { ramp: darkMeanRamp } };
    case 'gene-violin':
    case 'score-violin':
    case 'enrichment-bar':
      return {};
  }
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
