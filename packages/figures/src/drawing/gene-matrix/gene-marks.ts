import { spikeHeight } from '../distributions/density.ts';
import type { DotMark, Mark, VectorMark } from '../scene/scene.ts';
import { dotEdge, inkColour, legendGrey, paperColour } from '../scene/style.ts';
import type { GeneBand, GeneMatrixLayout, PlacedRun } from './layout.ts';
import { dotArea, meanColour } from './scales.ts';
import type { GeneMatrixSpec } from './spec.ts';

/** Keeps the palest dots visible on white; thinner on small dots, which it must not dominate. */
const edgeStroke = { width: 0.7, colour: dotEdge } as const;
const lineGap = 1;
const tileGap = 0.5;
const violinInset = 3;
const minBody = 2;
const minDot = 1.2;

interface Place {
  row: number;
  /** Index into the spec's matrices, which are group-major. */
  nth: number;
  x: number;
  y: number;
}

export function geneMarks(
  spec: GeneMatrixSpec,
  layout: GeneMatrixLayout,
  band: GeneBand,
  run: PlacedRun,
): VectorMark[] {
  if (spec.cells) return lineMarks(spec, spec.cells, layout, band, run);
  const markOf = spec.violins ? violinMarks : spec.marks === 'tiles' ? tileMark : dotMark;
  return run.symbols.flatMap((_, column) =>
    spec.groups.flatMap((_group, row): readonly VectorMark[] => {
      const nth = row * spec.genes.length + run.first + column;
      const [x, y] = [run.x + column * layout.columnPitch, band.top + row * layout.rowPitch];
      return markOf(spec, { row, nth, x, y }, layout);
    }),
  );
}

function tileMark(
  { mean, meanDomain, colours }: GeneMatrixSpec,
  { nth, x, y }: Place,
  { columnPitch, rowPitch }: GeneMatrixLayout,
): Mark[] {
  return [
    {
      kind: 'rectangle',
      x: x + tileGap,
      y: y + tileGap,
      width: columnPitch - 2 * tileGap,
      height: rowPitch - 2 * tileGap,
      colour: meanColour(mean[nth]!, meanDomain, colours.ramp),
    },
  ];
}

function dotMark(
  { mean, meanDomain, colours, fraction, dotMax, byDataset }: GeneMatrixSpec,
  { nth, x, y }: Place,
  { columnPitch, rowPitch, radius }: GeneMatrixLayout,
): DotMark[] {
  const ofShare = radius * Math.sqrt(dotArea(fraction[nth]!, dotMax));
  // Cells that are there and do not express it are something else than no such cells.
  const ofDot = (byDataset?.cells[nth] ?? 0) > 0 ? Math.max(minDot, ofShare) : ofShare;
  if (ofDot === 0) return [];
  return [
    {
      kind: 'dot',
      x: x + columnPitch / 2,
      y: y + rowPitch / 2,
      radius: ofDot,
      edge: { ...edgeStroke, width: Math.min(edgeStroke.width, 0.3 * ofDot) },
      colour: meanColour(mean[nth]!, meanDomain, colours.ramp),
    },
  ];
}

function violinMarks(
  { violins, groups }: GeneMatrixSpec,
  { row, nth, x, y: top }: Place,
  { columnPitch, rowPitch }: GeneMatrixLayout,
): VectorMark[] {
  const { shapes, domain } = violins!;
  const [low, high] = domain;
  const { colour = legendGrey } = groups[row]!;
  const shape = shapes[nth];
  if (!shape) return [];
  const y = top + rowPitch / 2;
  const width = columnPitch - 2 * violinInset;
  const within = (value: number): number => Math.min(high, Math.max(low, value));
  const xOf = (value: number): number =>
    x + violinInset + (high > low ? ((within(value) - low) / (high - low)) * width : 0);
  const { range, median, density } = shape;
  const reach = 0.45 * rowPitch;
  const flatReach = 0.15 * rowPitch;
  // A median at the lowest value says no more than the shape does.
  const isInside = median >= low && median <= high && (density === null || median > range[0]);
  const stroke = (ink: string, thickness: number, half: number): Mark => ({
    kind: 'rectangle',
    x: xOf(median) - thickness / 2,
    y: y - half,
    width: thickness,
    height: 2 * half,
    colour: ink,
  });
  // One value has no shape: a stroke as high as a violin would look like many values.
  if (density === null) return isInside ? [stroke(colour, 2.5, flatReach)] : [];
  if (range[1] < low || range[0] > high) return [];
  const step = (range[1] - range[0]) / (density.length - 1);
  const xs = density.map((_, k) => xOf(range[0] + k * step));
  const height = spikeHeight(density, xs, minBody);
  const reaches = density.map((thickness) => Math.max(0.4, height * reach * thickness));
  return [
    {
      kind: 'area',
      xs,
      tops: reaches.map((half) => y - half),
      bottoms: reaches.map((half) => y + half),
      colour,
    },
    ...(isInside ? [stroke(paperColour, 3, 0.6 * reach), stroke(inkColour, 1.5, 0.6 * reach)] : []),
  ];
}

function lineMarks(
  { genes, groups, colours }: GeneMatrixSpec,
  { levels, shown }: NonNullable<GeneMatrixSpec['cells']>,
  { columnPitch, rowPitch }: GeneMatrixLayout,
  band: GeneBand,
  run: PlacedRun,
): VectorMark[] {
  const shades = Array.from({ length: 256 }, (_, level) => meanColour(level, [0, 255], colours.ramp));
  const columns = run.symbols.length;
  return groups.flatMap((_, row): VectorMark[] => {
    const rows = shown[row]!;
    if (rows === 0) return [];
    const picture = new Uint8Array(columns * rows);
    for (let column = 0; column < columns; column++) {
      const ofGene = Buffer.from(levels[row * genes.length + run.first + column]!, 'base64');
      for (let line = 0; line < rows; line++) picture[line * columns + column] = ofGene[line]!;
    }
    return [
      {
        kind: 'pixels',
        x: run.x,
        y: band.top + row * rowPitch + lineGap,
        width: columns * columnPitch,
        height: rowPitch - 2 * lineGap,
        columns,
        rows,
        levels: picture,
        shades,
      },
    ];
  });
}
