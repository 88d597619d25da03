import { countText } from '@cellfolio/model';
import { withLeastSize } from '../least-size.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { DotMark, Mark, TextMark, VectorMark, VectorScene } from '../scene/scene.ts';
import {
  dotEdge,
  hairlineColour,
  inkColour,
  legendGrey,
  paperColour,
  softInk,
  margin,
  smallSize,
  textSize,
} from '../scene/style.ts';
import { isWhole, wrappedWords } from '../text/fit-text.ts';
import { bracketRise, countTitle, labelGap, nameRise, symbolDrop, geneMatrixLayout } from './layout.ts';
import type { GeneBand, GeneMatrixLayout, PlacedRun } from './layout.ts';
import { keyBaseline, lineHeight } from './name-setting.ts';
import { dendrogramMarks } from './dendrogram-marks.ts';
import { geneMatrixLegend } from './legend.ts';
import { dotArea, darkMeanRamp, meanColour } from './scales.ts';
import { fitGeneMatrix, fittedGeneMatrixLayout } from './fitted-layout.ts';
import { columnStyle, type GeneMatrixSpec, matrixNouns } from './spec.ts';

/** Keeps the palest dots visible on white; thinner on small dots, which it must not drown. */
const edgeStroke = { width: 0.7, colour: dotEdge } as const;

function nothingToShow({ genes, groups, byDataset }: GeneMatrixSpec): string {
  if (byDataset) return 'No dataset has this gene.';
  return genes.length > 0 && groups.length === 0
    ? 'None of these cells is in a group.'
    : 'There are no marker genes to show.';
}

/** Above and below the lines of a group. */
const lineGap = 1;
/** On each side of a tile. */
const tileGap = 0.5;
/** From the edge of a column to the lowest value. */
const violinInset = 3;
/** Radius of the dot of cells none of which express a gene. */
const minDot = 1.2;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export const geneMatrixDrawing = withLeastSize<GeneMatrixSpec>(
  {
    scene,
    fit: fitGeneMatrix,
    dark: () => ({ colours: { ramp: darkMeanRamp } }),
  },
  {
    // As wide as what the first line says of genes and groups that were left out.
    size: { width: 292, height: 180 },
    sentence: (spec) =>
      spec.genes.length === 0 || spec.groups.length === 0
        ? nothingToShow(spec)
        : `Enlarge to see ${spec.genes.length} ${matrixNouns(spec).column}s in ${spec.groups.length} ${matrixNouns(spec).row}s.`,
  },
);

/** Rows, dots, brackets, symbols, legend and heading. */
function scene(spec: GeneMatrixSpec): VectorScene {
  const layout = spec.fitted === undefined ? geneMatrixLayout(spec) : fittedGeneMatrixLayout(spec);
  const { left, bands, rowPitch } = layout;
  const first = bands[0];
  const isEmpty = first === undefined || spec.groups.length === 0 || spec.genes.length === 0;
  return {
    ...spec.size,
    panel: {
      x: left,
      y: first?.top ?? panelTop(spec),
      width: first?.width ?? 0,
      height: spec.groups.length * rowPitch,
    },
    marks: [
      ...heading(spec, 'semibold'),
      ...(isEmpty
        ? sentence(
            wrappedWords(nothingToShow(spec), spec.size.width - 2 * margin, textSize),
            margin,
            panelTop(spec),
          )
        : [
            ...bands.flatMap((band) => bandMarks(spec, layout, band)),
            ...keyMarks(layout),
            ...explanation(spec, layout),
          ]),
    ],
  };
}

function bandMarks(spec: GeneMatrixSpec, layout: GeneMatrixLayout, band: GeneBand): VectorMark[] {
  return [
    ...(spec.cells ? [] : lattice(spec, layout, band)),
    ...rowMarks(spec, layout, band),
    ...(spec.dendrogram ? dendrogramMarks(spec.dendrogram.merges, treePlace(layout, band)) : []),
    ...band.runs.flatMap((run) => runMarks(spec, layout, band, run)),
  ];
}

function treePlace({ left, tree, rowPitch }: GeneMatrixLayout, band: GeneBand) {
  return { x: left + band.width + tree.gap, y: band.top, depth: tree.depth, rowPitch };
}

function lattice(
  spec: GeneMatrixSpec,
  { left, rowPitch, columnPitch }: GeneMatrixLayout,
  band: GeneBand,
): Mark[] {
  const line = { kind: 'rectangle', colour: hairlineColour } as const;
  const height = spec.groups.length * rowPitch;
  return [
    ...spec.groups.map((_, row): Mark => ({
      ...line,
      x: left,
      y: band.top + (row + 0.5) * rowPitch - 0.5,
      width: band.width,
      height: 1,
    })),
    ...band.runs.flatMap((run) =>
      run.symbols.map((_, column): Mark => ({
        ...line,
        x: run.x + (column + 0.5) * columnPitch - 0.5,
        y: band.top,
        width: 1,
        height,
      })),
    ),
  ];
}

/** Names of the rows with their counts, and what they are. */
function rowMarks(spec: GeneMatrixSpec, layout: GeneMatrixLayout, band: GeneBand): Mark[] {
  const countEnd = layout.left - labelGap;
  const { hasCounts } = layout;
  const labelEnd = countEnd - layout.countWidth - labelGap;
  return [
    {
      ...small,
      text: layout.groupTitle,
      ...(layout.groupTitle !== spec.groupTitle && { full: spec.groupTitle }),
      x: labelEnd,
      y: band.top - bracketRise,
      colour: softInk,
      anchor: 'end',
    },
    ...(hasCounts ? [soft(countTitle, countEnd, band.top - bracketRise)] : []),
    ...spec.groups.flatMap((group, row): Mark[] => {
      const y = band.top + (row + 0.5) * layout.rowPitch + smallSize * 0.36;
      const text = layout.rowLabels[row]!;
      return [
        {
          ...small,
          text,
          ...(text !== group.label && { full: group.label }),
          x: labelEnd,
          y,
          colour: inkColour,
          anchor: 'end',
        },
        ...(hasCounts ? [soft(countText(group.cells), countEnd, y)] : []),
      ];
    }),
  ];
}

function soft(text: string, x: number, y: number): TextMark {
  return { ...small, text, x, y, colour: softInk, anchor: 'end' };
}

function runMarks(
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
      const dotRadius = (spec.byDataset?.cells[place] ?? 0) > 0 ? Math.max(minDot, ofDot) : ofDot;
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

/** What the numbers of the brackets stand for. */
function keyMarks({ key }: GeneMatrixLayout): TextMark[] {
  return (key?.lines ?? []).map((text, line) => ({
    kind: 'text',
    size: smallSize,
    style: 'regular',
    text,
    x: margin,
    y: key!.y + keyBaseline(line),
    colour: softInk,
    anchor: 'start',
  }));
}

function explanation(spec: GeneMatrixSpec, layout: GeneMatrixLayout): Mark[] {
  const { x, y } = layout.legend;
  return spec.dotMax === 0 && spec.marks === undefined && !spec.byDataset
    ? layout.legend.isShown
      ? sentence(
          ['No cell of these groups', 'expresses any of these', 'genes.'],
          Math.min(x, spec.size.width - 180),
          y - 8,
        )
      : []
    : geneMatrixLegend(spec, layout);
}

function sentence(lines: readonly string[], x: number, y: number): TextMark[] {
  return lines.map((text, i) => ({
    ...small,
    size: textSize,
    text,
    x,
    y: y + 20 + i * 20,
    colour: inkColour,
    anchor: 'start',
  }));
}
