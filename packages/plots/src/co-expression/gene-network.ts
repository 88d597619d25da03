import { countText } from '@cellfolio/model';
import { type CoExpressionInput, modulesText } from '../co-expression-input.ts';
import { moduleColours } from '../drawing/colour/category-colours.ts';
import type { Figure } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { figureWidth } from '../drawing/scene/style.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { geneNetworkContent } from './content.ts';
import { forceLayout } from './force-layout.ts';
import { geneNetworkScene, type GeneNetworkSpec, type NetworkEdge } from './network-scene.ts';

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
