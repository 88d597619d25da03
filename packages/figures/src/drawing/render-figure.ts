import { listed } from '../plot-words.ts';
import type { CommonSpec, Drawing, Figure, FittedSpec } from './figure.ts';
import { isScatter, pointsPng, scatterPng, type Pixels } from './raster/paint-scatter.ts';
import { scenePng } from './raster/paint-scene.ts';
import { withWords } from './raster/encode-png.ts';
import { noteOf } from './scene/panel.ts';
import { figureWidth, paperColour, smallSize } from './scene/style.ts';
import { onPaper, scatterSvg, sceneSvg } from './figure-svg.ts';
import { scenePdf } from './pdf/figure-pdf.ts';
import type { Scene } from './scene/scene.ts';
import { themedInk, themedMarks, type FigureTheme } from './themed-ink.ts';

type Resolution = 'screen' | 'print';

interface RenderPngOptions {
  /** Default `screen`. */
  resolution?: Resolution;
  /** Draws the figure as part of a page; `resolution` is then ignored. */
  view?: FigureView;
  /** Width of a file on paper, in millimetres, instead of that of its resolution. */
  widthMm?: number | undefined;
}

type RenderedPng = Pixels;

/**
 * Pixels per CSS pixel, and the dots per inch declared in the file. A figure of 600 CSS pixels is 1200 pixels wide on
 * `screen`, and 2160 in `print`: 183 mm, two journal columns, at 300 dpi. A wider chart has the width of the page in
 * `print` too, and never fewer pixels than on `screen`.
 */
export const figureResolutions: Readonly<Record<Resolution, { scale: number; dotsPerInch: number }>> = {
  screen: { scale: 2, dotsPerInch: 192 },
  print: { scale: 3.6, dotsPerInch: 300 },
};

/** A larger image costs a hundred megabytes and shows no more: it gets fewer pixels per CSS pixel instead. */
export const maxPixels = 8_000_000;

/** PNG of a figure with its words as text chunks; the same figure gives the same bytes. */
export async function renderPng(
  figure: Figure,
  { view, resolution = 'screen', widthMm }: RenderPngOptions = {},
): Promise<RenderedPng> {
  const placed = view === undefined ? undefined : laidOut(figure, view);
  const { words } = (placed?.shown ?? figure).spec;
  const image = placed === undefined ? filePng(figure, resolution, widthMm) : viewPng(placed, view!.ratio);
  return words === undefined ? image : { ...image, png: withWords(image.png, words) };
}

function filePng(figure: Figure, resolution: Resolution, widthMm: number | undefined): Pixels {
  const { scale, dotsPerInch } = fileScale(figure, resolution, widthMm);
  if (isScatter(figure)) return scatterPng(figure, scale, dotsPerInch);
  const { spec, drawing } = figure;
  return scenePng(drawing.scene(spec), scale, dotsPerInch);
}

const mmPerInch = 25.4;

function fileScale(figure: Figure, resolution: Resolution, widthMm: number | undefined) {
  const { size } = figure.spec;
  const { scale, dotsPerInch } = figureResolutions[resolution];
  if (widthMm === undefined)
    return { scale: isScatter(figure) ? scale : chartScale(size, resolution), dotsPerInch };
  const inches = widthMm / mmPerInch;
  const idealScale = (inches * dotsPerInch) / size.width;
  const shownScale = Math.min(idealScale, Math.sqrt(maxPixels / (size.width * size.height)));
  // A file of fewer pixels is as wide on paper.
  return { scale: shownScale, dotsPerInch: (shownScale * size.width) / inches };
}

/** Sizes of a figure's files: pixels of PNGs, CSS pixels of an SVG, millimetres of a PDF. */
export function fileSizes(
  figure: Figure,
  widthMm?: number,
): Record<'png' | 'png-300dpi' | 'svg' | 'pdf', CommonSpec['size']> {
  const { width, height } = figure.spec.size;
  const scaled = (scale: number) => ({
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  });
  const mm = pageWidth(figure, widthMm);
  return {
    png: scaled(fileScale(figure, 'screen', widthMm).scale),
    'png-300dpi': scaled(fileScale(figure, 'print', widthMm).scale),
    svg: { width, height },
    pdf: { width: Math.round(mm), height: Math.round((mm * height) / width) },
  };
}

/** Width of a page in millimetres: that of the PNG for print. */
function pageWidth(figure: Figure, widthMm: number | undefined): number {
  const { scale, dotsPerInch } = fileScale(figure, 'print', undefined);
  return widthMm ?? ((scale * figure.spec.size.width) / dotsPerInch) * mmPerInch;
}

/** PDF of a figure for print: one page of its width, type as text, points as one picture; the same figure gives the same bytes. */
export function renderPdf(figure: Figure, widthMm?: number): Uint8Array {
  const scene = figure.drawing.scene(figure.spec);
  const points = isScatter(figure)
    ? pointsPng(figure, scene as Scene, figureResolutions.print.scale, 'light')
    : undefined;
  return scenePdf(figure.spec, scene, { widthMm: pageWidth(figure, widthMm), points });
}

/** Pixel size of `renderPng`'s output for a chart of this size. */
export function chartPixels(
  size: CommonSpec['size'],
  resolution: Resolution,
): { width: number; height: number } {
  const scale = chartScale(size, resolution);
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

function chartScale({ width, height }: CommonSpec['size'], resolution: Resolution): number {
  const { screen, print } = figureResolutions;
  // On paper a wide figure takes the width of the page as well, on the screen it takes its own; but nobody expects a
  // file for print to have fewer pixels than the one for the screen.
  const idealScale =
    resolution === 'print' ? Math.max((print.scale * figureWidth) / width, screen.scale) : screen.scale;
  return Math.min(idealScale, Math.sqrt(maxPixels / (width * height)));
}

/**
 * SVG of a figure: type is text, points are one raster layer in print resolution, or in that of the view. A view has
 * exactly its width and height in CSS pixels, and is sharp at any ratio.
 */
export async function renderSvg(figure: Figure, view?: FigureView, widthMm?: number): Promise<string> {
  if (view === undefined) {
    const setting = { ...onPaper, widthMm };
    if (isScatter(figure)) return scatterSvg(figure, figureResolutions.print.scale, setting);
    return sceneSvg(figure, setting);
  }
  const { shown, zoom, theme } = laidOut(figure, view);
  if (isScatter(shown)) return scatterSvg(shown, zoom * view.ratio, { zoom, theme });
  return sceneSvg(shown, { zoom, theme });
}

/** A figure as part of a page that names it, instead of alone on paper. */
export interface FigureView {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** Default `light`. */
  readonly theme?: FigureTheme;
  /** Shrinks the type rather than leaving anything out, for readers who can zoom in. */
  readonly whole?: boolean;
  /** Keeps the layout of the figure's file, with title and dataset, as large as the view allows. */
  readonly as_file?: boolean | undefined;
}

export const minFontSize = 11;
const maxFontSize = 15;
/** Legible only when zoomed; used if nothing may be left out. */
const minWholeFontSize = 2;

/**
 * PNG of exactly `width * ratio` by `height * ratio` pixels; with `as_file`, of the part that the figure's shape fills.
 */
function viewPng({ shown, zoom, theme }: Placed, ratio: number): Pixels {
  const scale = zoom * ratio;
  const dotsPerInch = 96 * ratio;
  if (isScatter(shown)) return scatterPng(shown, scale, dotsPerInch, theme);
  const scene = shown.drawing.scene(shown.spec);
  const themed = { ...scene, marks: themedMarks(scene.marks, theme) };
  return scenePng(themed, scale, dotsPerInch, themedInk(paperColour, theme));
}

type Placed = ReturnType<typeof laidOut>;

function laidOut(figure: Figure, view: FigureView) {
  const { theme = 'light' } = view;
  const { spec, zoom } = view.as_file === true ? inView(figure, view) : fitToView(figure, view);
  const themed = themedSpec({ ...figure, spec }, theme);
  const shown = { ...figure, spec: { ...themed, ...wordsInView(themed) } };
  return { shown, zoom, theme };
}

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
  const limitText = instead ?? (limits.length === 0 ? '' : `In this size ${limits.join(', and ')}.`);
  return limitText === '' ? {} : { words: { ...words, cautions: [...words.cautions, limitText] } };
}

function inView({ spec }: Figure, { width, height }: FigureView) {
  return { spec, zoom: Math.min(width / spec.size.width, height / spec.size.height) };
}

export function themedSpec(
  { spec, drawing }: Pick<Figure, 'spec' | 'drawing'>,
  theme: FigureTheme,
): CommonSpec {
  return theme === 'dark' ? { ...spec, ...drawing.dark?.(spec) } : spec;
}

/**
 * Spec laid out for a view, in layout units, and the CSS pixels per unit: the type size suits the view, and shrinks to
 * the minimum legible size before anything is left out.
 */
export function fitToView<Spec extends CommonSpec, Columns extends object>(
  { spec, drawing }: Figure<Spec, Columns>,
  { width, height, whole = false }: FigureView,
): FittedSpec<Spec> & { zoom: number } {
  const noted = { ...spec, noteLines: 2 as const };
  const fittedAt = (type: number) => {
    const zoom = type / smallSize;
    return { ...fitNoted(drawing, [spec, noted], { width: width / zoom, height: height / zoom }), zoom };
  };
  const suited = Math.min(maxFontSize, Math.max(minFontSize, 10.5 + Math.sqrt(width * height) / 250));
  let fitted = fittedAt(suited);
  let type = suited;
  // A figure may be whole without some of its symbols or a legend, but is better with them.
  while ((!fitted.isWhole || isShort(fitted.spec)) && type > minFontSize) {
    type = Math.max(minFontSize, type - 0.5);
    fitted = fittedAt(type);
  }
  const minType = whole ? minWholeFontSize : minFontSize;
  while (!fitted.isWhole && type > minType) {
    type *= 0.9;
    fitted = fittedAt(type);
  }
  return fitted;
}

const twoLinesFrom = 200;

/** Spec fitted to a size, with a second note line if the first is too short, unless that would leave more out. */
function fitNoted<Spec extends CommonSpec>(
  drawing: Pick<Drawing<Spec>, 'fit'>,
  [spec, noted]: readonly [one: Spec, two: Spec],
  size: CommonSpec['size'],
): FittedSpec<Spec> {
  const one = drawing.fit(spec, size);
  const isAll = one.spec.fitted?.instead !== undefined || noteOf(one.spec, 1).unsaid.length === 0;
  if (isAll || size.height < twoLinesFrom) return one;
  const two = drawing.fit(noted, size);
  const isUsed = noteOf(two.spec, 2).lines.length > 1;
  return !isUsed || (one.isWhole && !two.isWhole) ? one : two;
}

function isShort({ fitted }: CommonSpec): boolean {
  return fitted?.leftOut !== '' || fitted.without !== undefined;
}
