import { categoryUmap } from './category-umap/scene.ts';
import { dotPlot } from './dot-plot/figure.ts';
import type { Figure } from './drawing/figure.ts';
import { enrichmentBar } from './enrichment-bar/figure.ts';
import { geneUmap } from './gene-umap/scene.ts';
import { geneViolin } from './gene-violin/scene.ts';
import { highlightUmap } from './highlight-umap/scene.ts';
import type { FigureSetting } from './inputs.ts';
import type { Plot } from './plot.ts';
import { scoreUmap } from './score-umap/scene.ts';
import { scoreViolin } from './score-violin/scene.ts';

/** Every kind of figure that can be drawn. */
const plots: ReadonlyMap<string, Plot> = new Map(
  [categoryUmap, geneUmap, geneViolin, scoreUmap, scoreViolin, highlightUmap, dotPlot, enrichmentBar].map(
    (plot) => [plot.kind, plot],
  ),
);

/** The figure of a kind, of the inputs that its content names. Throws FigureInputError. */
export function plotFigure(kind: string, values: object, setting: FigureSetting): Figure {
  return plots.get(kind)!.figure(values, setting);
}
