import { darkScoreRamp } from '../drawing/colour/score-ramp.ts';
import type { Drawing, Figure } from '../drawing/figure.ts';
import { orderByInk } from '../drawing/raster/point-layer.ts';
import type { PointLayer } from '../drawing/raster/point-layer.ts';
import { barScatterScene, fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';
import { themedInk } from '../drawing/theme/themed-ink.ts';
import { scoreUmapSpec } from './spec.ts';
import type { ScoreUmapInput, ScoreUmapSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { scoreUmapContent } from './content.ts';

export type ScoreUmapFigure = Figure<ScoreUmapSpec, ScoreUmapInput>;

const drawing: Drawing<ScoreUmapSpec, ScoreUmapInput> = {
  scene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitBarScatter(spec, size, scene),
  dark: ({ colours }) => ({
    colours: { ramp: darkScoreRamp, outside: themedInk(colours.outside, 'dark') },
  }),
};

/** Throws FigureInputError where scores, embedding and mask do not describe the same cells. */
export function scoreUmapFigure(input: ScoreUmapInput): ScoreUmapFigure {
  return { spec: scoreUmapSpec(input), columns: input, drawing };
}

/** Points, colour bar with its unit and a line where zero lies, arrows and heading. */
function scene(spec: ScoreUmapSpec): Scene {
  const { domain, colours, unit } = spec;
  return barScatterScene(spec, { ...domain, ramp: colours.ramp, unit, marksZero: true }, 'semibold');
}

/** Cells that are not scored or outside, then the others in ascending order of their shade. */
function pointLayer({ spec, columns }: Pick<ScoreUmapFigure, 'spec' | 'columns'>): PointLayer {
  const { scores, mask } = columns;
  const { low, high } = spec.domain;
  const bits = mask?.bits;
  const shades = spec.colours.ramp.length;
  const scale = high > low ? shades / (high - low) : 0;
  const cellInk = new Uint8Array(scores.length);
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score - score !== 0 || (bits !== undefined && bits[cell] !== 1)) continue;
    // Compared before the truncation, which would wrap around for scores far beyond the bar.
    const shade = score <= low ? 0 : score >= high ? shades - 1 : ((score - low) * scale) | 0;
    cellInk[cell] = 1 + (shade < shades ? shade : shades - 1);
  }
  return {
    inks: [spec.colours.outside, ...spec.colours.ramp],
    cellInk,
    order: orderByInk(cellInk, 1 + shades).order,
  };
}

export const scoreUmap = plot<typeof scoreUmapContent>('score-umap', ({ embedding, score }, setting) =>
  scoreUmapFigure({ ...setting, ...score, embedding }),
);
