import type { Figure } from '../drawing/figure.ts';
import { violinDrawing } from '../drawing/violin/violin-scene.ts';
import { geneViolinSpec } from './spec.ts';
import type { GeneViolinInput, GeneViolinSpec } from './spec.ts';
import { plot } from '../plot.ts';
import type { geneViolinContent } from './content.ts';

export type GeneViolinFigure = Figure<GeneViolinSpec>;

const drawing = violinDrawing<GeneViolinSpec>('gene');

/** Throws FigureInputError where the columns do not describe the same cells. */
export function geneViolinFigure(input: GeneViolinInput): GeneViolinFigure {
  return { spec: geneViolinSpec(input), columns: {}, drawing };
}

export const geneViolin = plot<typeof geneViolinContent>('gene-violin', ({ gene, groups }, setting) =>
  geneViolinFigure({
    ...setting,
    ...gene,
    groups: groups.column,
    groupTitle: groups.title,
    palette: groups.palette,
  }),
);
