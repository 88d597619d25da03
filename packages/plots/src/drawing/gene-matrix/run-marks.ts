import type { DotMark, Mark, TextMark, VectorMark } from '../scene/scene.ts';
import { dotEdge, inkColour, legendGrey, paperColour, softInk, smallSize } from '../scene/style.ts';
import { isWhole } from '../text/fit-text.ts';
import { bracketRise, lineHeight, nameRise, symbolDrop } from './layout.ts';
import type { GeneBand, GeneMatrixLayout, PlacedRun } from './layout.ts';
import { dotArea, meanColour } from './scales.ts';
import { columnStyle, type GeneMatrixSpec } from './spec.ts';

/** Keeps the palest dots visible on white; thinner on small dots, which it must not drown. */
const edgeStroke = { width: 0.7, colour: dotEdge } as const;

/** Above and below the lines of a group. */
const lineGap = 1;
/** On each side of a tile. */
const tileGap = 0.5;
/** From the edge of a column to the lowest value. */
const violinInset = 3;
/** Radius of the dot of cells none of which express a gene. */
const leastDot = 1.2;

export const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

/** What is in the columns of neighbouring genes, and the bracket and the symbols around them. */
export function runMarks(
  spec: GeneMatrixSpec,
  layout: GeneMatrixLayout,
  band: GeneBand,
  run: PlacedRun,
): VectorMark[] {
  const { columnPitch, rowPitch, radius, symbolEvery } = layout;
  const foot = band.top + spec.groups.length * rowPitch + symbolDrop;
  const marks: VectorMark[] = bracketMarks(layout, band, run);
  if (spec.cells) marks.push(...lineMarks(spec, spec.cells, layout, band, run));
  run.symbols.forEach((text, column) => {
    const gene = run.first + column;
    const { symbol } = spec.genes[gene]!;
    const x = run.x + (column + 0.5) * columnPitch;
    if (column % symbolEvery === 0)
      marks.push({
        ...small,
        style: columnStyle(spec),
        text,
        ...(text !== symbol && { full: symbol }),
        x: x + smallSize * 0.36,
        y: foot,
        colour: inkColour,
        anchor: 'end',
        upright: true,
      });
    if (spec.cells) return;
    for (let row = 0; row < spec.groups.length; row++) {
      if (spec.violins !== undefined) {
        const place = { x: run.x + column * columnPitch, y: band.top + (row + 0.5) * rowPitch };
        marks.push(
          ...violinMarks(spec.violins, row * spec.genes.length + gene, spec.groups[row]!, place, layout),
        );
        continue;
      }
      const place = row * spec.genes.length + gene;
      const colour = meanColour(spec.mean[place]!, spec.meanDomain, spec.colours.ramp);
      if (spec.marks === 'tiles') {
        marks.push({
          kind: 'rectangle',
          x: run.x + column * columnPitch + tileGap,
          y: band.top + row * rowPitch + tileGap,
          width: columnPitch - 2 * tileGap,
          height: rowPitch - 2 * tileGap,
          colour,
        });
        continue;
      }
      const ofDot = radius * Math.sqrt(dotArea(spec.fraction[place]!, spec.dotMax));
      // Cells that are there and do not express it are something else than no such cells.
      const dotRadius = (spec.byDataset?.cells[place] ?? 0) > 0 ? Math.max(leastDot, ofDot) : ofDot;
      if (dotRadius === 0) continue;
      marks.push({
        kind: 'dot',
        x,
        y: band.top + (row + 0.5) * rowPitch,
        ...dotOf(dotRadius),
        colour,
      });
    }
  });
  return marks;
}

/** The cells of each group as lines, a column a gene. */
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

/** The violin of a gene in a group in its column, with a stroke at the median; of no shape the stroke alone. */
function violinMarks(
  { shapes, domain: [low, high] }: NonNullable<GeneMatrixSpec['violins']>,
  nth: number,
  { colour = legendGrey }: GeneMatrixSpec['groups'][number],
  { x, y }: { readonly x: number; readonly y: number },
  { columnPitch, rowPitch }: GeneMatrixLayout,
): VectorMark[] {
  const shape = shapes[nth];
  if (!shape) return [];
  const width = columnPitch - 2 * violinInset;
  const within = (value: number): number => Math.min(high, Math.max(low, value));
  const xOf = (value: number): number =>
    x + violinInset + (high > low ? ((within(value) - low) / (high - low)) * width : 0);
  const { range, median, density } = shape;
  const reach = 0.45 * rowPitch;
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
  if (density === null) return isInside ? [stroke(colour, 2.5, reach)] : [];
  if (range[1] < low || range[0] > high) return [];
  const step = (range[1] - range[0]) / (density.length - 1);
  const reaches = density.map((thickness) => Math.max(0.4, reach * thickness));
  return [
    {
      kind: 'area',
      xs: density.map((_, k) => xOf(range[0] + k * step)),
      tops: reaches.map((half) => y - half),
      bottoms: reaches.map((half) => y + half),
      colour,
    },
    ...(isInside ? [stroke(paperColour, 3, 0.6 * reach), stroke(inkColour, 1.5, 0.6 * reach)] : []),
  ];
}

function dotOf(radius: number): Pick<DotMark, 'radius' | 'edge'> {
  return { radius, edge: { ...edgeStroke, width: Math.min(edgeStroke.width, 0.3 * radius) } };
}

/** A line over the columns with its ends turned down, and the name of the group above. */
function bracketMarks({ columnPitch, namesLie }: GeneMatrixLayout, band: GeneBand, run: PlacedRun): Mark[] {
  if (run.bracket === null) return [];
  const line = { kind: 'rectangle', colour: softInk } as const;
  const inset = Math.min(3, columnPitch / 6);
  const [x, width] = [run.x + inset, run.width - 2 * inset];
  const y = band.top - bracketRise;
  const middle = run.x + run.width / 2;
  return [
    { ...line, x, y, width, height: 1 },
    { ...line, x, y, width: 1, height: 5 },
    { ...line, x: x + width - 1, y, width: 1, height: 5 },
    ...run.lines.map((text, i): TextMark => ({
      ...small,
      text,
      ...(i === 0 && !isWhole(run.lines, run.bracket!) && { full: run.bracket! }),
      x: namesLie ? middle : middle + smallSize * 0.36,
      y: y - nameRise - (run.lines.length - 1 - i) * lineHeight,
      colour: inkColour,
      anchor: namesLie ? 'middle' : 'start',
      ...(!namesLie && { upright: true }),
    })),
  ];
}
