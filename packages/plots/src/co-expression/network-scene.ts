import { edgeBetween } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { placedNames } from '../drawing/scene/placed-names.ts';
import type { Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { inkColour, legendGrey, margin, paperColour, smallSize, softInk } from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import type { geneNetworkWords } from './words.ts';

export interface GeneNetworkSpec extends SpecOf<typeof geneNetworkWords, 'nodes' | 'modules'> {
  readonly nodes: readonly NetworkNode[];
  readonly modules: readonly { readonly label: string; readonly size: number; readonly colour: string }[];
}

interface NetworkNode {
  readonly gene: string;
  readonly module: number;
  readonly withinModule: number;
  /** From 0 to 1, from the left and from the top. */
  readonly at: readonly [number, number];
}

export type NetworkEdge = GeneNetworkSpec['edges'][number];

const radius = { least: 4, most: 8 } as const;
const edgeWidth = { least: 0.7, most: 3 } as const;
const longestName = 110;
const inset = { x: 46, y: 18 } as const;
const legendLine = 20;
const legendItem = 128;

const small = { kind: 'text', size: smallSize } as const;

export function geneNetworkScene(spec: GeneNetworkSpec): VectorScene {
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
  readonly gene: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
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
