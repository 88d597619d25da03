import type { Figure } from '../drawing/figure.ts';
import { violinDrawing } from '../drawing/violin/violin-scene.ts';
import { scoreViolinSpec } from './spec.ts';
import type { ScoreViolinInput, ScoreViolinSpec } from './spec.ts';

export type ScoreViolinFigure = Figure<ScoreViolinSpec>;

const drawing = violinDrawing<ScoreViolinSpec>('score');

/** Throws FigureInputError where the columns do not describe the same cells. */
export function scoreViolinFigure(input: ScoreViolinInput): ScoreViolinFigure {
  return { spec: scoreViolinSpec(input), columns: {}, drawing };
}
