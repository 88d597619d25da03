import { countText } from '@cellfolio/model';
import { type CoExpressionInput, modulesText } from '../co-expression-input.ts';
import { moduleColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import {
  figureWidth,
  inkColour,
  legendGrey,
  margin,
  paperColour,
  smallSize,
  softInk,
} from '../drawing/scene/style.ts';
import { cleanLabel, ellipsised } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { edgeBetween } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { placedNames } from '../drawing/scene/placed-names.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import type { geneNetworkContent } from './content.ts';
import { forceLayout } from './force-layout.ts';
import type { geneNetworkWords } from './words.ts';

interface GeneNetworkSpec extends SpecOf<typeof geneNetworkWords, 'nodes' | 'modules'> {
  nodes: readonly NetworkNode[];
  modules: readonly { label: string; size: number; colour: string }[];
}

interface NetworkNode {
  gene: string;
  module: number;
  withinModule: number;
  /** From 0 to 1, from the left and from the top. */
  at: readonly [number, number];
}

type NetworkEdge = GeneNetworkSpec['edges'][number];

const radius = { least: 4, most: 8 } as const;
const edgeWidth = { least: 0.7, most: 3 } as const;
const longestName = 110;
const inset = { x: 46, y: 18 } as const;
const legendLine = 20;
const legendItem = 128;

const small = { kind: 'text', size: smallSize } as const;

function geneNetworkScene(spec: GeneNetworkSpec): VectorScene {
  const { size, nodes } = spec;
  const top = panelTop(spec);
  const legend = legendMarks(spec);
  const panel = {
    x: margin,
    y: top,
    width: size.width - 2 * margin,
    height: size.height - top - legend.height - 12,
  };
  const greatest = Math.max(0, ...nodes.map(({ withinModule }) => withinModule));
  const placed = nodes.map(({ gene, module, withinModule, at: [x, y] }) => ({
    gene,
    colour: spec.modules[module]?.colour ?? legendGrey,
    x: panel.x + inset.x + x * Math.max(0, panel.width - 2 * inset.x),
    y: panel.y + inset.y + y * Math.max(0, panel.height - 2 * inset.y),
    radius:
      radius.least + (radius.most - radius.least) * (greatest > 0 ? Math.max(0, withinModule) / greatest : 0),
  }));
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...edgeMarks(spec, placed),
      ...placed.map((node): VectorMark => ({
        kind: 'dot',
        x: node.x,
        y: node.y,
        radius: node.radius,
        colour: node.colour,
        edge: { width: 1, colour: paperColour },
      })),
      ...nameMarks(placed, panel),
      ...legend.marks,
      ...(nodes.length === 0
        ? [
            {
              ...small,
              style: 'regular',
              text: 'There is no module.',
              x: panel.x,
              y: top + 22,
              colour: softInk,
              anchor: 'start',
            } as const,
          ]
        : []),
    ],
  };
}

interface PlacedNode {
  gene: string;
  colour: string;
  x: number;
  y: number;
  radius: number;
}

function edgeMarks({ edges }: GeneNetworkSpec, placed: readonly PlacedNode[]): VectorMark[] {
  const maxScore = edges.at(-1)?.score ?? 1;
  return edges.flatMap(({ nodes: [one, other], score }) => {
    const [from, to] = [placed[one]!, placed[other]!];
    const width = edgeWidth.least + (edgeWidth.most - edgeWidth.least) * (score / maxScore);
    return edgeBetween([from.x, from.y], [to.x, to.y], { width, colour: legendGrey });
  });
}

function nameMarks(placed: readonly PlacedNode[], panel: Rectangle): VectorMark[] {
  const nodes = placed.toSorted((one, other) => other.radius - one.radius);
  const names = fittedNames(
    nodes.map(({ gene }) => gene),
    longestName,
    smallSize,
    'italic',
  );
  const points = nodes.map(({ x, y, radius: ofNode, gene }, i) => {
    const name = names[i]!;
    return { name, full: gene, x, y, radius: ofNode, width: textWidth(name, smallSize, 'italic') };
  });
  return placedNames(points, panel).flatMap(({ name, full, left, baseline }): VectorMark[] => [
    {
      kind: 'rectangle',
      x: left - 1,
      y: baseline - smallSize * 0.78,
      width: textWidth(name, smallSize, 'italic') + 2,
      height: smallSize * 1.02,
      colour: paperColour,
    },
    {
      ...small,
      style: 'italic',
      text: name,
      ...(full !== undefined && { full }),
      x: left,
      y: baseline,
      colour: inkColour,
      anchor: 'start',
    },
  ]);
}

function legendMarks({ modules, size }: GeneNetworkSpec): { marks: VectorMark[]; height: number } {
  const columns = Math.max(1, Math.floor((size.width - 2 * margin) / legendItem));
  const lines = Math.min(Math.ceil(modules.length / columns), Math.floor(size.height / 4 / legendLine));
  const height = lines * legendLine;
  const top = size.height - margin / 2 - height;
  const marks = modules
    .slice(0, lines * columns)
    .flatMap(({ label, size: genes, colour }, at): VectorMark[] => {
      const x = margin + (at % columns) * legendItem;
      const y = top + Math.floor(at / columns) * legendLine + legendLine / 2;
      return [
        { kind: 'dot', x: x + 6, y, radius: 5, colour },
        {
          ...small,
          style: 'regular',
          text: ellipsised(`${label} (${genes})`, legendItem - 20, smallSize),
          x: x + 16,
          y: y + smallSize * 0.36,
          colour: inkColour,
          anchor: 'start',
        },
      ];
    });
  return { marks, height };
}

/** More nodes could not be labelled. */
const maxNodes = 60;
const minOfModule = 3;
/** Edges per node: more would blur the drawing. */
const edgesOfNode = 3;

export function geneNetworkFigure({
  datasetName,
  modules: coExpression,
}: Pick<FigureSetting, 'datasetName'> & { modules: CoExpressionInput }): Figure<GeneNetworkSpec> {
  const { genes, modules, cells, cautions } = coExpression;
  const colours = moduleColours(modules.length);
  const rows = hubRows(coExpression);
  const edges = strongest(coExpression, rows);
  const maxScore = edges.at(-1)?.score ?? 1;
  const places = forceLayout(
    rows.length,
    edges.map(({ nodes, score }) => ({ nodes, pull: score / maxScore })),
  );
  const shown = new Set(rows.map((row) => genes[row]!.module));
  const spec: GeneNetworkSpec = {
    version: 1,
    kind: 'gene-network',
    title: 'Network of genes',
    subtitle: modulesText(coExpression),
    datasetName: cleanLabel(datasetName),
    summary: `${countText(cells)} cells · ${countText(rows.length)} hub genes · ${countText(edges.length)} local correlations`,
    size: { width: figureWidth, height: 640 },
    nodes: rows.map((row, place) => ({
      gene: cleanLabel(genes[row]!.gene),
      module: genes[row]!.module - 1,
      withinModule: genes[row]!.withinModule,
      at: places[place]!,
    })),
    edges,
    modules: modules
      .map(({ name, size }, at) => ({ label: name, size, colour: colours[at]! }))
      .slice(0, Math.max(0, ...shown)),
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: geneNetworkDrawing };
}

const geneNetworkDrawing = withMinimumSize<GeneNetworkSpec>(
  {
    scene: geneNetworkScene,
    fit: (spec, size) => ({ spec: { ...spec, size, fitted: { leftOut: '' } }, isWhole: true }),
  },
  { size: { width: 260, height: 240 }, sentence: ({ summary }) => `Enlarge to see the network. ${summary}.` },
);

function hubRows({ genes, modules }: CoExpressionInput): number[] {
  const shownModules = modules.slice(0, Math.floor(maxNodes / minOfModule));
  const ofModule = Math.max(minOfModule, Math.floor(maxNodes / Math.max(1, shownModules.length)));
  return shownModules.flatMap((_, at) =>
    [...genes.keys()]
      .filter((row) => genes[row]!.module === at + 1)
      .toSorted((one, other) => genes[other]!.withinModule - genes[one]!.withinModule)
      .slice(0, ofModule),
  );
}

/** Highest scores above the threshold, including each node's own highest so that no node is isolated needlessly. */
function strongest({ scores, genes, threshold }: CoExpressionInput, rows: readonly number[]): NetworkEdge[] {
  const all: NetworkEdge[] = [];
  rows.forEach((one, i) =>
    rows.slice(i + 1).forEach((other, at) => {
      const score = scores[one * genes.length + other]!;
      if (score >= threshold) all.push({ nodes: [i, i + 1 + at], score });
    }),
  );
  all.sort((one, other) => other.score - one.score);
  const own = new Map<number, NetworkEdge>();
  for (const edge of all) for (const node of edge.nodes) if (!own.has(node)) own.set(node, edge);
  const keptEdges = new Set([...own.values(), ...all.slice(0, edgesOfNode * rows.length)]);
  return [...keptEdges].toSorted((one, other) => one.score - other.score);
}

export const geneNetwork = plot<typeof geneNetworkContent>('gene-network', ({ modules }, { datasetName }) =>
  geneNetworkFigure({ datasetName, modules }),
);
