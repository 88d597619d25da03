import type { CommonSpec, Figure, FittedSpec } from '../figure.ts';
import { PAPER } from '../scene/inks.ts';
import { SMALL_SIZE } from '../scene/typography.ts';
import { scenePng } from '../raster/paint-scene.ts';
import { isScatter, scatterPng } from '../raster/paint-scatter.ts';
import type { Pixels } from '../raster/paint-scatter.ts';
import { themedInk, themedMarks } from '../theme/themed-ink.ts';
import type { FigureTheme } from '../theme/themed-ink.ts';

/** A figure as a part of a page that names it, instead of one by itself on paper. */
export interface FigureView {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** `light` if absent. */
  readonly theme?: FigureTheme;
  /** True makes the type smaller rather than leave anything out, for who can zoom in. */
  readonly whole?: boolean;
}

/** Smallest type of a view, in CSS pixels. */
export const LEAST_TYPE = 11;
const LARGEST_TYPE = 15;
/** The type of a view that nobody could read unzoomed, but of which nothing is left out. */
const LEAST_WHOLE_TYPE = 2;

/** Charts need this many CSS pixels of the usual type to stand in at all; smaller views have smaller type. */
const LEAST_CHART = { width: 300, height: 200 } as const;

/** PNG of exactly `width * ratio` by `height * ratio` pixels. */
export function viewPng(figure: Figure, view: FigureView): Pixels {
  const { theme = 'light', ratio } = view;
  const { drawing } = figure;
  const { spec, zoom } = fitToView(figure, view);
  const shown = { ...figure, spec: theme === 'dark' ? { ...spec, ...drawing.dark?.(spec) } : spec };
  const scale = zoom * ratio;
  const dotsPerInch = 96 * ratio;
  if (isScatter(shown)) return scatterPng(shown, scale, dotsPerInch, theme);
  const scene = drawing.scene(shown.spec);
  const themed = { ...scene, marks: themedMarks(scene.marks, theme) };
  return scenePng(themed, scale, dotsPerInch, themedInk(PAPER, theme));
}

/**
 * The spec laid out for a view, in the units that figures are laid out in, and how many CSS pixels a unit is: type has
 * the size that suits the view, and down to the smallest that can be read it is made smaller before anything is left out.
 */
export function fitToView<Spec extends CommonSpec, Columns extends object>(
  { spec, drawing }: Figure<Spec, Columns>,
  { width, height, whole = false }: FigureView,
): FittedSpec<Spec> & { readonly zoom: number } {
  // Maps have an arrangement for any size.
  const mostZoom =
    drawing.points === undefined
      ? Math.min(width / LEAST_CHART.width, height / LEAST_CHART.height)
      : Infinity;
  const fittedAt = (type: number) => {
    const zoom = Math.min(type / SMALL_SIZE, mostZoom);
    return { ...drawing.fit(spec, { width: width / zoom, height: height / zoom }), zoom };
  };
  const suited = Math.min(LARGEST_TYPE, Math.max(LEAST_TYPE, 10.5 + Math.sqrt(width * height) / 250));
  let fitted = fittedAt(suited);
  let type = suited;
  while (!fitted.isWhole && type > LEAST_TYPE) {
    type = Math.max(LEAST_TYPE, type - 0.5);
    fitted = fittedAt(type);
  }
  const least = whole ? LEAST_WHOLE_TYPE : LEAST_TYPE;
  while (!fitted.isWhole && type > least) {
    type *= 0.9;
    fitted = fittedAt(type);
  }
  return fitted;
}
