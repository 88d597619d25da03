import { countText, plural } from '@cellfolio/model';
import type { Merge } from '@cellfolio/analysis';
import { withMinimumSize } from '../minimum-size.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { Mark, TextMark, VectorMark, VectorScene } from '../scene/scene.ts';
import { hairlineColour, inkColour, softInk, margin, smallSize, textSize } from '../scene/style.ts';
import { isWhole, wrappedWords } from '../text/fit-text.ts';
import {
  bracketRise,
  countTitle,
  labelGap,
  nameRise,
  symbolDrop,
  geneMatrixLayout,
  type GeneBand,
  type GeneMatrixLayout,
  type PlacedRun,
} from './layout.ts';
import { keyBaseline, lineHeight } from './name-setting.ts';
import { geneMarks } from './gene-marks.ts';
import { geneMatrixLegend } from './legend.ts';
import { darkMeanRamp } from './scales.ts';
import { fitGeneMatrix } from './fit-gene-matrix.ts';
import { fittedGeneMatrixLayout } from './fitted-layout.ts';
import { columnStyle, type GeneMatrixSpec, matrixNouns } from './spec.ts';

function nothingToShow({ genes, groups, byDataset }: GeneMatrixSpec): string {
  if (byDataset) return 'No dataset has this gene.';
  return genes.length > 0 && groups.length === 0
    ? 'None of these cells is in a group.'
    : 'There are no marker genes to show.';
}

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export const geneMatrixDrawing = withMinimumSize<GeneMatrixSpec>(
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
        : `Enlarge to see ${plural(spec.genes.length, matrixNouns(spec).column)} in ${plural(spec.groups.length, matrixNouns(spec).row)}.`,
  },
);

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
  return [
    ...bracketMarks(layout, band, run),
    ...geneMarks(spec, layout, band, run),
    ...symbolMarks(spec, layout, band, run),
  ];
}

function symbolMarks(
  spec: GeneMatrixSpec,
  { columnPitch, rowPitch, symbolEvery }: GeneMatrixLayout,
  band: GeneBand,
  run: PlacedRun,
): TextMark[] {
  return run.symbols.flatMap((text, column): TextMark[] => {
    if (column % symbolEvery !== 0) return [];
    const { symbol } = spec.genes[run.first + column]!;
    return [
      {
        ...small,
        style: columnStyle(spec),
        text,
        ...(text !== symbol && { full: symbol }),
        x: run.x + (column + 0.5) * columnPitch + smallSize * 0.36,
        y: band.top + spec.groups.length * rowPitch + symbolDrop,
        colour: inkColour,
        anchor: 'end',
        upright: true,
      },
    ];
  });
}

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
      ...(!isWhole(run.lines, run.bracket!) && { full: run.bracket! }),
      x: namesLie ? middle : middle + smallSize * 0.36,
      y: y - nameRise - (run.lines.length - 1 - i) * lineHeight,
      colour: inkColour,
      anchor: namesLie ? 'middle' : 'start',
      ...(!namesLie && { upright: true }),
    })),
  ];
}

function keyMarks({ key }: GeneMatrixLayout): TextMark[] {
  return (key?.lines ?? []).flatMap(({ text, full }, line): TextMark[] => [
    {
      kind: 'text',
      size: smallSize,
      style: 'regular',
      text,
      ...(text !== full && { full }),
      x: margin,
      y: key!.y + keyBaseline(line),
      colour: softInk,
      anchor: 'start',
    },
  ]);
}

function explanation(spec: GeneMatrixSpec, layout: GeneMatrixLayout): Mark[] {
  const { x, y, width, place } = layout.legend;
  const isSilent = spec.dotMax === 0 && spec.marks === undefined && !spec.byDataset;
  if (!isSilent || place === 'none') return geneMatrixLegend(spec, layout);
  if (place === 'line') return sentence(['No cell expresses these genes.'], x, y - 5);
  const message = 'No cell of these groups expresses any of these genes.';
  const room = place === 'beside' ? width : spec.size.width - margin - x;
  return sentence(wrappedWords(message, room, textSize), x, y - 8);
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

const line = { kind: 'rectangle', colour: softInk } as const;
const thickness = 1;

interface TreePlace {
  x: number;
  y: number;
  depth: number;
  rowPitch: number;
}

/** Dendrogram of the rows beside them: each merge is a stroke at its height with an arm to either node. */
function dendrogramMarks(merges: readonly Merge[], { x, y, depth, rowPitch }: TreePlace): Mark[] {
  const count = merges.length + 1;
  const highest = Math.max(0, ...merges.map(([, , height]) => height));
  const across = (height: number): number => x + (highest > 0 ? height / highest : 1) * depth;
  const middles = Array.from({ length: count }, (_, row) => y + (row + 0.5) * rowPitch);
  const ends = new Array<number>(count).fill(x);
  return merges.flatMap(([one, other, height]): Mark[] => {
    const at = across(height);
    const [top, bottom] = [middles[one]!, middles[other]!].sort((a, b) => a - b) as [number, number];
    const arm = (node: number): Mark => ({
      ...line,
      x: ends[node]!,
      y: middles[node]! - thickness / 2,
      width: Math.max(thickness, at - ends[node]!),
      height: thickness,
    });
    const marks = [
      arm(one),
      arm(other),
      {
        ...line,
        x: at - thickness / 2,
        y: top - thickness / 2,
        width: thickness,
        height: bottom - top + thickness,
      },
    ];
    middles.push((top + bottom) / 2);
    ends.push(at);
    return marks;
  });
}
