import type { Embedding } from '@cellfolio/model';
import type { Figure, ScatterSpec } from '../figure.ts';
import type { Scene } from '../scene/scene.ts';
import { themedMarks, type FigureTheme } from '../themed-ink.ts';
import { paintCellGround, paintPoints, type PixelImage, type PointPlace } from './paint-points.ts';
import { encodePng, createScratch } from './encode-png.ts';
import { paintMarks } from './paint-marks.ts';
import { pixelPalette, type PixelPalette } from './pixel-palette.ts';
import type { PointLayer } from './point-layer.ts';

const scratchPixels = createScratch();

type OnEmbedding = Figure<ScatterSpec, { embedding: Embedding }>;

export interface ScatterFigure extends OnEmbedding {
  drawing: {
    scene(spec: ScatterSpec): Scene;
    points(figure: object): readonly PointLayer[];
  } & OnEmbedding['drawing'];
}

export function isScatter(figure: Figure): figure is ScatterFigure {
  return figure.drawing.points !== undefined;
}

export interface Pixels {
  png: Uint8Array;
  width: number;
  height: number;
}

export function scatterPng(
  figure: ScatterFigure,
  scale: number,
  dotsPerInch: number,
  theme: FigureTheme = 'light',
): Pixels {
  const scene = figure.drawing.scene(figure.spec);
  const width = Math.round(scene.width * scale);
  const height = Math.round(scene.height * scale);
  const layers = figure.drawing.points(figure);
  const palette = pixelPalette(layers[0]!.inks, theme);
  const image = { width, height, pixels: scratchPixels(width * height) };
  const { embedding } = figure.columns;
  for (const layer of layers) {
    paintLayer(image, palette, layer, {
      embedding,
      spec: figure.spec,
      panel: layer.panel ?? scene.panel,
      scale,
    });
  }
  paintMarks(image, palette, themedMarks(scene.marks, theme), scale);
  return { png: encodePng({ ...image, palette: palette.rgb, dotsPerInch }), width, height };
}

/** The points alone on a transparent background, for the raster layer of an SVG: only the panel. */
export function pointsPng(
  figure: ScatterFigure,
  scene: Scene,
  scale: number,
  theme: FigureTheme,
): Uint8Array {
  const layers = figure.drawing.points(figure);
  const palette = pixelPalette(layers[0]!.inks, theme);
  const width = Math.round(scene.panel.width * scale);
  const height = Math.round(scene.panel.height * scale);
  const image = { width, height, pixels: new Uint8Array(width * height) };
  const { embedding } = figure.columns;
  for (const layer of layers) {
    const { x, y, ...size } = layer.panel ?? scene.panel;
    const panel = { ...size, x: x - scene.panel.x, y: y - scene.panel.y };
    paintLayer(image, palette, layer, { embedding, spec: figure.spec, panel, scale });
  }
  return encodePng({ ...image, palette: palette.rgb, transparentGround: true });
}

function paintLayer(image: PixelImage, palette: PixelPalette, layer: PointLayer, place: PointPlace): void {
  if (layer.ground !== undefined) paintCellGround(image, palette, place, layer.ground);
  const { pointRadius = place.spec.pointRadius } = layer;
  paintPoints(image, palette, layer, { ...place, spec: { ...place.spec, pointRadius } });
}
