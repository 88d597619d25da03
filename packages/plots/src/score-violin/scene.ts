import type { Figure } from '../drawing/figure.ts';
import { violinDrawing } from '../drawing/violin/violin-scene.ts';
import { scoreViolinSpec } from './spec.ts';
import type { ScoreViolinInput, ScoreViolinSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { scoreViolinContent } from './content.ts';
import { defaultUnits } from '../drawing/checked-input.ts';

export type ScoreViolinFigure = Figure<ScoreViolinSpec>;

const drawing = violinDrawing<ScoreViolinSpec>('score');

/** Throws FigureInputError where the columns do not describe the same cells. */
export function scoreViolinFigure(input: ScoreViolinInput): ScoreViolinFigure {
  return { spec: scoreViolinSpec(input), columns: {}, drawing };
}

export const scoreViolin = plot<typeof scoreViolinContent>('score-violin', ({ groups, score }, setting) =>
  scoreViolinFigure({
    ...setting,
    ...score,
    groups: groups.column,
    groupTitle: groups.title,
    palette: groups.palette,
    // Violins have no subtitle: what the score is made of stands at its axis.
    unit: `${defaultUnits.score} · ${score.subtitle}`,
  }),
);
