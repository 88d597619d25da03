import { fitDotPlot } from '../../dot-plot/fitted-dot-plot.ts';
import { termsThatFit } from '../../enrichment-bar/enrichment-bar-layout.ts';
import type { CommonSpec, FigureSpec, GeneViolinSpec, ScatterSpec, ScoreViolinSpec } from '../figure.ts';
import { fittedLegend } from '../scene/fitted-legend.ts';
import { legendEntries } from '../scene/category-umap-scene.ts';
import { scatterScene } from '../raster/paint-scatter.ts';
import type { ScatterFigure } from '../raster/paint-scatter.ts';
import { violinsThatFit } from '../violin/violin-layout.ts';

export interface FittedSpec<Spec extends FigureSpec = FigureSpec> {
  readonly spec: Spec;
  /** True where all groups, terms and names of the figure are there. */
  readonly isWhole: boolean;
}

/**
 * The spec laid out within a size in CSS pixels, without title and dataset. What finds no room is left out: the
 * smallest groups, the last genes and terms, names of a legend; the first line of the figure says so.
 */
export function fitFigure(spec: FigureSpec, size: CommonSpec['size']): FittedSpec {
  switch (spec.kind) {
    case 'gene-umap':
    case 'score-umap':
      return { spec: withRadius({ ...spec, size, fitted: { leftOut: '' } }), isWhole: true };
    case 'category-umap':
    case 'highlight-umap': {
      const fitted = { ...spec, size, fitted: { leftOut: '' } };
      return { spec: withRadius(fitted), isWhole: fittedLegend(fitted, legendEntries(fitted)).unnamed === 0 };
    }
    case 'gene-violin':
    case 'score-violin':
      return fitViolins(spec, size);
    case 'dot-plot': {
      const fitted = fitDotPlot(spec, size);
      return { spec: fitted, isWhole: fitted.fitted?.leftOut === '' };
    }
    case 'enrichment-bar': {
      const shown = spec.terms.slice(0, termsThatFit(size.height));
      const leftOut = partText(shown.length, spec.terms.length, 'terms');
      const beginning = commonBeginning(shown.map(({ term }) => term));
      const terms =
        beginning === 0
          ? shown
          : shown.map(({ term, ...rest }) => Object.assign(rest, { term: `…${term.slice(beginning)}` }));
      return { spec: { ...spec, size, fitted: { leftOut }, terms }, isWhole: leftOut === '' };
    }
  }
}

function fitViolins<Spec extends GeneViolinSpec | ScoreViolinSpec>(
  spec: Spec,
  size: CommonSpec['size'],
): FittedSpec<Spec> {
  const { groups } = spec;
  const most = violinsThatFit(size.height);
  const kept = Array.from(groups.keys())
    .sort((a, b) => groups[b]!.cells - groups[a]!.cells || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((place) => groups[place]!);
  const leftOut = partText(kept.length, groups.length, 'groups');
  return { spec: { ...spec, size, fitted: { leftOut }, groups: kept }, isWhole: leftOut === '' };
}

/** Letters that all terms begin with, up to an underscore: in little room they would be all that is read of a name. */
function commonBeginning(terms: readonly string[]): number {
  const [first = ''] = terms;
  const beginning = /^[^_]+_/.exec(first)?.[0] ?? '';
  return terms.length > 1 && terms.every((term) => term.startsWith(beginning)) ? beginning.length : 0;
}

function partText(kept: number, all: number, noun: string): string {
  return kept < all ? `${kept} of ${all} ${noun} fit here` : '';
}

/** Shorter side of the panel that the radius of a spec was chosen for, in CSS pixels. */
const USUAL_SIDE = 366;

/** Points grow and shrink with their panel, so that the same part of it is inked. */
function withRadius<Spec extends Extract<FigureSpec, ScatterSpec>>(spec: Spec): Spec {
  const { panel } = scatterScene({ spec } as ScatterFigure);
  const growth = Math.min(panel.width, panel.height) / USUAL_SIDE;
  const scaled = (radius: number): number => Number(Math.max(0.4, radius * growth).toFixed(3));
  return {
    ...spec,
    pointRadius: scaled(spec.pointRadius),
    ...(spec.kind === 'highlight-umap' && { highlightRadius: scaled(spec.highlightRadius) }),
  };
}
