import { countText } from '@cellfolio/model';
import { type CoExpressionInput, modulesText } from '../co-expression-input.ts';
import { moduleColours } from '../drawing/colour/category-colours.ts';
import type { Drawing, Figure } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { figureWidth, raised, significant } from '../drawing/scene/style.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { moduleHeatmapContent } from './content.ts';
import { moduleHeatmapScene, type ModuleHeatmapSpec, roomOfModules } from './module-scene.ts';

/** Local correlations of all pairs, as far as computed, in module order. */
export function moduleHeatmapFigure({
  datasetName,
  modules: coExpression,
}: Pick<FigureSetting, 'datasetName'> & { modules: CoExpressionInput }): Figure<ModuleHeatmapSpec> {
  const { genes, modules, cells, cautions } = coExpression;
  const colours = moduleColours(modules.length);
  const subtitle = modulesText(coExpression);
  const limit = limitOf(coExpression.scores);
  const spec: ModuleHeatmapSpec = {
    version: 1,
    kind: 'module-heatmap',
    title: 'Modules of genes',
    subtitle,
    datasetName: cleanLabel(datasetName),
    summary: `${countText(cells)} cells · ${countText(genes.length)} of ${countText(coExpression.passing)} genes with local autocorrelation`,
    size: { width: figureWidth, height: roomOfModules({ subtitle }, figureWidth) },
    genes: genes.map(({ gene }) => cleanLabel(gene)),
    modules: modules.map(({ name, size, hubs }, at) => ({
      label: name,
      size,
      hubs: hubs.map((gene) => cleanLabel(gene)),
      colour: colours[at]!,
    })),
    limit,
    ramp: correlationRamp,
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: drawingOf(levelsOf(coExpression.scores, limit)) };
}

/** Hotspot's figures end at 8 standard deviations. */
const minLimit = 8;
/** Share of the scores within the limit, so that blocks have shades with many cells too. */
const shareWithin = 0.95;

function limitOf(scores: Float32Array): number {
  const sizes = scores.map(Math.abs).sort();
  const within = sizes[Math.floor(shareWithin * (sizes.length - 1))] ?? 0;
  return Math.max(minLimit, Number(within.toPrecision(2)));
}

/** One byte per score, centred at 0. */
function levelsOf(scores: Float32Array, limit: number): Uint8Array {
  return Uint8Array.from(scores, (score) => {
    const part = (Math.max(-limit, Math.min(limit, score)) / limit + 1) / 2;
    return Math.round(255 * part);
  });
}

/** Kept out of the spec, where the levels would be a quarter of a million numbers. */
function drawingOf(levels: Uint8Array): Drawing<ModuleHeatmapSpec> {
  return withMinimumSize<ModuleHeatmapSpec>(
    {
      scene: (spec) => moduleHeatmapScene(spec, levels),
      fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }),
      dark: () => ({ ramp: darkCorrelationRamp }),
    },
    {
      size: { width: 240, height: 220 },
      sentence: ({ summary, subtitle }) => `Enlarge to see ${subtitle}. ${summary}.`,
    },
  );
}

export const moduleHeatmap = plot<typeof moduleHeatmapContent>(
  'module-heatmap',
  ({ modules }, { datasetName }) => moduleHeatmapFigure({ datasetName, modules }),
);

const correlationRamp: readonly string[] = [
  '#1d3f73',
  significant,
  '#9db8dc',
  '#ffffff',
  '#e6b3a6',
  raised,
  '#7d2a1a',
];
const darkCorrelationRamp: readonly string[] = [
  '#a8c6f2',
  '#5d8bd0',
  '#2f4c77',
  '#1b1f27',
  '#733a2d',
  '#cf7660',
  '#f7c4b8',
];
