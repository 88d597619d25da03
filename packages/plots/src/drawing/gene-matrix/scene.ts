import { countText } from '@cellfolio/model';
import { withLeastSize } from '../least-size.ts';
import { heading, panelTop } from '../scene/panel.ts';
import type { Mark, TextMark, VectorMark, VectorScene } from '../scene/scene.ts';
import { hairlineColour, inkColour, margin, smallSize, softInk, textSize } from '../scene/style.ts';
import { wrappedWords } from '../text/fit-text.ts';
import { bracketRise, countTitle, labelGap, geneMatrixLayout } from './layout.ts';
import type { GeneBand, GeneMatrixLayout } from './layout.ts';
import { dendrogramMarks } from './dendrogram-marks.ts';
import { geneMatrixLegend } from './legend.ts';
import { runMarks, small } from './run-marks.ts';
import { darkMeanRamp } from './scales.ts';
import { fitGeneMatrix, fittedGeneMatrixLayout } from './fitted-layout.ts';
import { type GeneMatrixSpec, matrixNouns } from './spec.ts';

function nothingToShow({ genes, groups, byDataset }: GeneMatrixSpec): string {
  if (byDataset) return 'No dataset has this gene.';
  return genes.length > 0 && groups.length === 0
    ? 'None of these cells is in a group.'
    : 'There are no marker genes to show.';
}

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
    description: [
      `${spec.title} by ${spec.groupTitle} in ${spec.datasetName}: ${spec.summary}`,
      ...(spec.byDataset ? [spec.byDataset.reading] : []),
    ].join('. '),
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
        : [...bands.flatMap((band) => bandMarks(spec, layout, band)), ...explanation(spec, layout)]),
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
