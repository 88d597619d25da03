import { countText } from '@cellfolio/model';
import { type CoExpressionInput, modulesText } from '../co-expression-input.ts';
import { darkDivergingRamp, divergingRamp } from '../drawing/colour/ramps.ts';
import { moduleColours } from '../drawing/colour/category-colours.ts';
import type { Drawing, Figure, CommonSpec } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { figureWidth, inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { cleanLabel, ellipsised } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { meanColour } from '../drawing/gene-matrix/scales.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { moduleHeatmapContent } from './content.ts';

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
    ramp: divergingRamp,
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
      dark: () => ({ ramp: darkDivergingRamp }),
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

interface ModuleHeatmapSpec extends CommonSpec {
  kind: 'module-heatmap';
  version: 1;
  subtitle: string;
  genes: readonly string[];
  /** In row order; genes without a module follow. */
  modules: readonly ModuleRows[];
  /** Scores beyond it take the end colours. */
  limit: number;
  ramp: readonly string[];
}

interface ModuleRows {
  label: string;
  size: number;
  hubs: readonly string[];
  colour: string;
}

const gutter = 158;
const strip = 8;
const foot = 62;
const lineHeight = 17;

function roomOfModules(spec: Parameters<typeof panelTop>[0], width: number): number {
  return panelTop(spec) + width - 2 * margin - gutter - strip + foot;
}

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

/** `levels`: those of the scores, genes × genes, 128 for 0. */
function moduleHeatmapScene(spec: ModuleHeatmapSpec, levels: Uint8Array): VectorScene {
  const { size, genes } = spec;
  const top = panelTop(spec);
  // Names give way where there is little room.
  const left = margin + Math.min(gutter, size.width * 0.27) + strip;
  const side = Math.max(0, Math.min(size.width - margin - left, size.height - top - foot));
  // In a wide figure it stands in the middle, with its names beside it.
  const spare = Math.max(0, size.width - margin - left - side);
  const panel = { x: left + spare / 2, y: top, width: side, height: side };
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...(genes.length < 2
        ? [nothingMark(panel)]
        : [
            {
              kind: 'pixels',
              ...panel,
              columns: genes.length,
              rows: genes.length,
              levels,
              shades: Array.from({ length: 256 }, (_, level) => meanColour(level, [0, 255], spec.ramp)),
            } as const,
            ...moduleMarks(spec, panel),
          ]),
      ...rampMarks(spec, panel),
    ],
  };
}

function nothingMark({ x, y }: Rectangle): VectorMark {
  return {
    ...small,
    text: 'Fewer than two genes have local autocorrelation.',
    x,
    y: y + 22,
    colour: softInk,
    anchor: 'start',
  };
}

function moduleMarks({ modules, genes }: ModuleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const perGene = panel.height / genes.length;
  const marks: VectorMark[] = [];
  let row = 0;
  let free = panel.y;
  for (const { label, size, hubs, colour } of modules) {
    const [y, height] = [panel.y + row * perGene, size * perGene];
    row += size;
    marks.push({
      kind: 'rectangle',
      x: panel.x - strip,
      y,
      width: strip - 2,
      height: Math.max(1, height - 1),
      colour,
    });
    const top = Math.max(free, y + height / 2 - lineHeight);
    const width = panel.x - strip - 4 - margin;
    const lines = [`${label} · ${size}`, ...(height >= 2 * lineHeight ? [hubs.join(', ')] : [])];
    if (top + lines.length * lineHeight > panel.y + panel.height) continue;
    lines.forEach((text, line) => {
      const style = line === 0 ? 'regular' : 'italic';
      const shown = ellipsised(text, width, smallSize, style);
      marks.push({
        ...small,
        style,
        text: shown,
        ...(shown !== text && { full: text }),
        x: panel.x - strip - 4,
        y: top + (line + 0.8) * lineHeight,
        colour: line === 0 ? inkColour : softInk,
        anchor: 'end',
      });
    });
    free = top + lines.length * lineHeight;
  }
  return marks;
}

function rampMarks({ ramp, limit, size }: ModuleHeatmapSpec, panel: Rectangle): VectorMark[] {
  const y = panel.y + panel.height + 14;
  const width = Math.min(120, panel.width * 0.4);
  const x = panel.x;
  const text = { ...small, y: y + 28, colour: softInk, anchor: 'middle' } as const;
  const room = size.width - margin - (x + width + 12);
  return [
    { kind: 'ramp', x, y, width, height: 12, shades: ramp, across: true },
    { ...text, text: `−${limit}`, x },
    { ...text, text: '0', x: x + width / 2 },
    { ...text, text: `${limit}`, x: x + width },
    ...(textWidth('local correlation, Z', smallSize) <= room
      ? [{ ...text, text: 'local correlation, Z', x: x + width + 12, y: y + 11, anchor: 'start' } as const]
      : []),
  ];
}
