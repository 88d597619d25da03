import { countText } from '@cellfolio/model';
import { withLeastSize } from '../drawing/least-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { DotMark, Mark, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  dotEdge,
  hairlineColour,
  inkColour,
  softInk,
  margin,
  smallSize,
  textSize,
} from '../drawing/scene/style.ts';
import { isWhole, wrappedWords } from '../drawing/text/fit-text.ts';
import {
  bracketRise,
  countTitle,
  labelGap,
  lineHeight,
  nameRise,
  symbolDrop,
  dotPlotLayout,
} from './layout.ts';
import type { DotBand, DotPlotLayout, PlacedRun } from './layout.ts';
import { dotPlotLegend } from './legend.ts';
import { dotArea, darkMeanRamp, meanColour } from './scales.ts';
import { fitDotPlot, fittedDotPlotLayout } from './fitted-layout.ts';
import type { DotPlotSpec } from './spec.ts';

/** Keeps the palest dots visible on white; thinner on small dots, which it must not drown. */
const edgeStroke = { width: 0.7, colour: dotEdge } as const;

const noGenes = 'There are no marker genes to show.';

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export const dotPlotDrawing = withLeastSize<DotPlotSpec>(
  {
    scene,
    fit: (spec, size) => {
      const fitted = fitDotPlot(spec, size);
      return { spec: fitted, isWhole: fitted.fitted?.leftOut === '' };
    },
    dark: () => ({ colours: { ramp: darkMeanRamp } }),
  },
  {
    // As wide as what the first line says of genes and groups that were left out.
    size: { width: 292, height: 180 },
    sentence: ({ genes, groups }) =>
      genes.length === 0 || groups.length === 0
        ? noGenes
        : `Enlarge to see ${genes.length} genes in ${groups.length} groups.`,
  },
);

/** Rows, dots, brackets, symbols, legend and heading. */
function scene(spec: DotPlotSpec): Scene {
  const layout = spec.fitted === undefined ? dotPlotLayout(spec) : fittedDotPlotLayout(spec);
  const { left, bands, rowPitch } = layout;
  const first = bands[0];
  const isEmpty = first === undefined || spec.groups.length === 0;
  return {
    ...spec.size,
    description: `${spec.title} by ${spec.groupTitle} in ${spec.datasetName}: ${spec.summary}`,
    panel: {
      x: left,
      y: first?.top ?? panelTop(spec),
      width: first?.width ?? 0,
      height: spec.groups.length * rowPitch,
    },
    marks: [
      ...heading(spec, 'semibold'),
      ...(isEmpty
        ? sentence(wrappedWords(noGenes, spec.size.width - 2 * margin, textSize), margin, panelTop(spec))
        : [...bands.flatMap((band) => bandMarks(spec, layout, band)), ...explanation(spec, layout)]),
    ],
  };
}

function bandMarks(spec: DotPlotSpec, layout: DotPlotLayout, band: DotBand): Mark[] {
  return [
    ...lattice(spec, layout, band),
    ...rowMarks(spec, layout, band),
    ...band.runs.flatMap((run) => runMarks(spec, layout, band, run)),
  ];
}

function lattice(spec: DotPlotSpec, { left, rowPitch, columnPitch }: DotPlotLayout, band: DotBand): Mark[] {
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
function rowMarks(spec: DotPlotSpec, layout: DotPlotLayout, band: DotBand): Mark[] {
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

function runMarks(spec: DotPlotSpec, layout: DotPlotLayout, band: DotBand, run: PlacedRun): Mark[] {
  const { columnPitch, rowPitch, radius } = layout;
  const foot = band.top + spec.groups.length * rowPitch + symbolDrop;
  const marks: Mark[] = bracketMarks(layout, band, run);
  run.symbols.forEach((text, column) => {
    const gene = run.first + column;
    const { symbol } = spec.genes[gene]!;
    const x = run.x + (column + 0.5) * columnPitch;
    marks.push({
      ...small,
      style: 'italic',
      text,
      ...(text !== symbol && { full: symbol }),
      x: x + smallSize * 0.36,
      y: foot,
      colour: inkColour,
      anchor: 'end',
      upright: true,
    });
    for (let row = 0; row < spec.groups.length; row++) {
      const place = row * spec.genes.length + gene;
      const area = dotArea(spec.fraction[place]!, spec.dotMax);
      if (area === 0) continue;
      marks.push({
        kind: 'dot',
        x,
        y: band.top + (row + 0.5) * rowPitch,
        ...dotOf(radius * Math.sqrt(area)),
        colour: meanColour(spec.mean[place]!, spec.meanDomain, spec.colours.ramp),
      });
    }
  });
  return marks;
}

function dotOf(radius: number): Pick<DotMark, 'radius' | 'edge'> {
  return { radius, edge: { ...edgeStroke, width: Math.min(edgeStroke.width, 0.3 * radius) } };
}

/** A line over the columns with its ends turned down, and the name of the group above. */
function bracketMarks({ columnPitch, namesLie }: DotPlotLayout, band: DotBand, run: PlacedRun): Mark[] {
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

function explanation(spec: DotPlotSpec, layout: DotPlotLayout): Mark[] {
  const { x, y } = layout.legend;
  return spec.dotMax === 0
    ? layout.legend.isShown
      ? sentence(
          ['No cell of these groups', 'expresses any of these', 'genes.'],
          Math.min(x, spec.size.width - 180),
          y - 8,
        )
      : []
    : dotPlotLegend(spec, layout);
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
