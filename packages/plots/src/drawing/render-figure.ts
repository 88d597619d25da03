import { listed } from '../plot-words.ts';
import type { CommonSpec, Drawing, Figure, FittedSpec } from './figure.ts';
import { isScatter, scatterPng, type Pixels } from './raster/paint-scatter.ts';
import { scenePng } from './raster/paint-scene.ts';
import { withWords } from './raster/encode-png.ts';
import { noteOf } from './scene/panel.ts';
import { figureWidth, paperColour, smallSize } from './scene/style.ts';
import { scatterSvg, sceneSvg } from './figure-svg.ts';
import { themedInk, themedMarks, type FigureTheme } from './themed-ink.ts';

type Resolution = 'screen' | 'print';

interface RenderPngOptions {
  /** `screen` if absent. */
  readonly resolution?: Resolution;
  /** A part of a page; then `resolution` says nothing. */
  readonly view?: FigureView;
}

type RenderedPng = Pixels;

/**
 * Pixels a CSS pixel, and the dots an inch that the file declares. A figure of 600 CSS pixels is 1200 pixels wide
 * on `screen`, and 2160 in `print`: 183 mm, two columns of a journal, at 300 dpi. A chart that is wider has the width
 * of the page in `print` too, and never fewer pixels than on `screen`.
 */
export const figureResolutions: Readonly<
  Record<Resolution, { readonly scale: number; readonly dotsPerInch: number }>
> = {
  screen: { scale: 2, dotsPerInch: 192 },
  print: { scale: 3.6, dotsPerInch: 300 },
};

/** A larger image costs a hundred megabytes to make and shows no more: it gets fewer pixels a CSS pixel instead. */
export const maxPixels = 8_000_000;

/** PNG of a figure with its words as texts; the same figure gives the same bytes. */
export async function renderPng(
  figure: Figure,
  { view, resolution = 'screen' }: RenderPngOptions = {},
): Promise<RenderedPng> {
  const placed = view === undefined ? undefined : laidOut(figure, view);
  const { words } = (placed?.shown ?? figure).spec;
  const drawn = placed === undefined ? filePng(figure, resolution) : viewPng(placed, view!.ratio);
  return words === undefined ? drawn : { ...drawn, png: withWords(drawn.png, words) };
}

function filePng(figure: Figure, resolution: Resolution): Pixels {
  const { scale, dotsPerInch } = figureResolutions[resolution];
  if (isScatter(figure)) return scatterPng(figure, scale, dotsPerInch);
  const { spec, drawing } = figure;
  return scenePng(drawing.scene(spec), chartScale(spec.size, resolution), dotsPerInch);
}

/** Pixels of the PNG that `renderPng` makes of a chart whose spec has this size. */
export function chartPixels(
  size: CommonSpec['size'],
  resolution: Resolution,
): { width: number; height: number } {
  const scale = chartScale(size, resolution);
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

/** Pixels a CSS pixel in a chart of this size. */
function chartScale({ width, height }: CommonSpec['size'], resolution: Resolution): number {
  const { screen, print } = figureResolutions;
  // On paper a wide figure takes the width of the page as well, on the screen it takes its own; but nobody expects a
  // file for print to have fewer pixels than the one for the screen.
  const wanted =
    resolution === 'print' ? Math.max((print.scale * figureWidth) / width, screen.scale) : screen.scale;
  return Math.min(wanted, Math.sqrt(maxPixels / (width * height)));
}

/**
 * SVG of a figure: type is text, points are one raster layer of print resolution, or of that of the view. A view has
 * exactly its width and height in CSS pixels, and is sharp at any ratio.
 */
export async function renderSvg(figure: Figure, view?: FigureView): Promise<string> {
  if (view === undefined) {
    if (isScatter(figure)) return scatterSvg(figure, figureResolutions.print.scale);
    return sceneSvg(figure);
  }
  const { shown, zoom, theme } = laidOut(figure, view);
  if (isScatter(shown)) return scatterSvg(shown, zoom * view.ratio, { zoom, theme });
  return sceneSvg(shown, { zoom, theme });
}

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
  /** True keeps the layout that the figure has as a file, title and dataset too, as large as the view holds it. */
  readonly as_file?: boolean | undefined;
}

/** Smallest type of a view, in CSS pixels. */
export const minFontSize = 11;
const maxFontSize = 15;
/** Type that is legible only when zoomed, used where nothing may be left out. */
const minWholeFontSize = 2;

/** PNG of exactly `width * ratio` by `height * ratio` pixels; as a file, of the part that its shape takes of these. */
function viewPng({ shown, zoom, theme }: Placed, ratio: number): Pixels {
  const scale = zoom * ratio;
  const dotsPerInch = 96 * ratio;
  if (isScatter(shown)) return scatterPng(shown, scale, dotsPerInch, theme);
  const scene = shown.drawing.scene(shown.spec);
  const themed = { ...scene, marks: themedMarks(scene.marks, theme) };
  return scenePng(themed, scale, dotsPerInch, themedInk(paperColour, theme));
}

type Placed = ReturnType<typeof laidOut>;

/** The figure as a view shows it, in the units of `fitToView`. */
function laidOut(figure: Figure, view: FigureView) {
  const { theme = 'light' } = view;
  const { spec, zoom } = view.as_file === true ? inView(figure, view) : fitToView(figure, view);
  const themed = themedSpec({ ...figure, spec }, theme);
  const shown = { ...figure, spec: { ...themed, ...wordsInView(themed) } };
  return { shown, zoom, theme };
}

/** What a view has no room for limits the figure too. */
function wordsInView(spec: CommonSpec): Pick<CommonSpec, 'words'> {
  const { words, fitted, noteLines = 1 } = spec;
  if (words === undefined || fitted === undefined) return {};
  const { leftOut, without = [], instead } = fitted;
  const { unsaid } = noteOf(spec, noteLines);
  const limits = [
    ...(leftOut === '' ? [] : [`${leftOut} fit`]),
    ...(without.length === 0 ? [] : [`there is no room for ${listed(without)}`]),
    ...(unsaid.length === 0 ? [] : [`there is no room to say: ${unsaid.join(' · ')}`]),
  ];
  const said = instead ?? (limits.length === 0 ? '' : `In this size ${limits.join(', and ')}.`);
  return said === '' ? {} : { words: { ...words, cautions: [...words.cautions, said] } };
}

/** The spec as a file has it. */
function inView({ spec }: Figure, { width, height }: FigureView) {
  return { spec, zoom: Math.min(width / spec.size.width, height / spec.size.height) };
}

/** The spec with the colours that its cells have in a theme. */
export function themedSpec(
  { spec, drawing }: Pick<Figure, 'spec' | 'drawing'>,
  theme: FigureTheme,
): CommonSpec {
  return theme === 'dark' ? { ...spec, ...drawing.dark?.(spec) } : spec;
}

/**
 * The spec laid out for a view, in the units that figures are laid out in, and how many CSS pixels a unit is: type has
 * the size that suits the view, and down to the smallest that can be read it is made smaller before anything is left out.
 */
export function fitToView<Spec extends CommonSpec, Columns extends object>(
  { spec, drawing }: Figure<Spec, Columns>,
  { width, height, whole = false }: FigureView,
): FittedSpec<Spec> & { readonly zoom: number } {
  const fittedAt = (type: number) => {
    const zoom = type / smallSize;
    return { ...fitNoted(drawing, spec, { width: width / zoom, height: height / zoom }), zoom };
  };
  const suited = Math.min(maxFontSize, Math.max(minFontSize, 10.5 + Math.sqrt(width * height) / 250));
  let fitted = fittedAt(suited);
  let type = suited;
  // A figure may be whole without some of its symbols or a legend, but is better with them.
  while ((!fitted.isWhole || isShort(fitted.spec)) && type > minFontSize) {
    type = Math.max(minFontSize, type - 0.5);
    fitted = fittedAt(type);
  }
  const least = whole ? minWholeFontSize : minFontSize;
  while (!fitted.isWhole && type > least) {
    type *= 0.9;
    fitted = fittedAt(type);
  }
  return fitted;
}

/** From which height on the first line of a figure may be two. */
const twoLinesFrom = 200;

/** The spec in a size, with a second line for what the first does not hold, unless that would leave out what is there. */
function fitNoted<Spec extends CommonSpec>(
  drawing: Pick<Drawing<Spec>, 'fit'>,
  spec: Spec,
  size: CommonSpec['size'],
): FittedSpec<Spec> {
  const one = drawing.fit(spec, size);
  const isAll = one.spec.fitted?.instead !== undefined || noteOf(one.spec, 1).unsaid.length === 0;
  if (isAll || size.height < twoLinesFrom) return one;
  const two = drawing.fit({ ...spec, noteLines: 2 as const }, size);
  const isUsed = noteOf(two.spec, 2).lines.length > 1;
  return !isUsed || (one.isWhole && !two.isWhole) ? one : two;
}

function isShort({ fitted }: CommonSpec): boolean {
  return fitted?.leftOut !== '' || fitted.without !== undefined;
}
