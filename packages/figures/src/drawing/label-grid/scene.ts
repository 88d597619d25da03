import type { Drawing } from '../figure.ts';
import { legendTitle, rampLegend } from '../gene-matrix/ramp-legend.ts';
import { darkMeanRamp, meanColour } from '../gene-matrix/scales.ts';
import { withMinimumSize } from '../minimum-size.ts';
import { heading } from '../scene/panel.ts';
import type { Mark, TextMark, VectorScene } from '../scene/scene.ts';
import {
  dotEdge,
  hairlineColour,
  inkColour,
  legendGrey,
  margin,
  paperColour,
  smallSize,
  softInk,
  textSize,
} from '../scene/style.ts';
import { ellipsised, wrappedWords } from '../text/fit-text.ts';
import { fitLabelGrid, labelGap, labelGridLayout, type LabelGridLayout, labelStep } from './layout.ts';
import type { LabelGridSpec } from './spec.ts';

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const below = smallSize * 0.36;
const [minDot, tileGap] = [1.4, 0.5];
/** From this share of the domain on, the ramp is dark in the light theme, and light in the dark one. */
const turning = 0.6;

export function labelGridDrawing<Spec extends LabelGridSpec>(darkRamp = darkMeanRamp): Drawing<Spec> {
  return withMinimumSize<Spec>(
    {
      scene,
      fit: fitLabelGrid,
      dark: () => ({ colours: { ramp: darkRamp } }) as Partial<Spec>,
    },
    {
      size: { width: 300, height: 240 },
      sentence: (spec) =>
        spec.rows.length === 0 ? spec.nothing : `Enlarge to see the figure. ${spec.summary}.`,
    },
  );
}

function scene(spec: LabelGridSpec): VectorScene {
  const layout = labelGridLayout(spec);
  const { left, top, rowPitch, columnPitch } = layout;
  const { rows, columns } = spec;
  const panel = { x: left, y: top, width: columns.length * columnPitch, height: rows.length * rowPitch };
  return {
    ...spec.size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...(rows.length === 0
        ? nothingMarks(spec, top)
        : [
            ...(spec.areas ? lattice(layout, panel) : []),
            ...labelMarks(spec, layout, panel),
            ...cellMarks(spec, layout),
            ...legendMarks(spec, layout),
          ]),
    ],
  };
}

function nothingMarks({ nothing, size }: LabelGridSpec, top: number): TextMark[] {
  return wrappedWords(nothing, size.width - 2 * margin, textSize).flatMap((text, line): TextMark[] => [
    { ...small, size: textSize, text, x: margin, y: top + line * 20, colour: inkColour, anchor: 'start' },
  ]);
}

type Panel = VectorScene['panel'];

function lattice({ rowLabels, columnLabels, rowPitch, columnPitch }: LabelGridLayout, panel: Panel): Mark[] {
  const line = { kind: 'rectangle', colour: hairlineColour } as const;
  return [
    ...rowLabels.map((_, row): Mark => ({
      ...line,
      x: panel.x,
      y: panel.y + (row + 0.5) * rowPitch - 0.5,
      width: panel.width,
      height: 1,
    })),
    ...columnLabels.map((_, column): Mark => ({
      ...line,
      x: panel.x + (column + 0.5) * columnPitch - 0.5,
      y: panel.y,
      width: 1,
      height: panel.height,
    })),
  ];
}

function labelMarks(spec: LabelGridSpec, layout: LabelGridLayout, panel: Panel): Mark[] {
  const { left, top, rowPitch, columnPitch, rowLabels, columnLabels } = layout;
  const whole = (text: string, full: string) => (text === full ? {} : { full });
  const title = (full: string, room: number) => {
    const text = ellipsised(full, room, smallSize);
    return { ...small, text, ...whole(text, full), y: top - 9, colour: softInk };
  };
  const foot = top + panel.height + labelGap;
  return [
    { ...title(spec.rowTitle, left - margin - labelGap), x: left - labelGap, anchor: 'end' },
    { ...title(spec.columnTitle, spec.size.width - margin - left), x: left, anchor: 'start' },
    ...rowLabels.flatMap((text, row): Mark[] =>
      row % labelStep(rowPitch) > 0
        ? []
        : [
            {
              ...small,
              style: spec.rowStyle ?? 'regular',
              text,
              ...whole(text, spec.rows[row]!),
              x: left - labelGap,
              y: top + (row + 0.5) * rowPitch + below,
              colour: inkColour,
              anchor: 'end',
            },
          ],
    ),
    ...columnLabels.flatMap((text, column): Mark[] =>
      column % labelStep(columnPitch) > 0
        ? []
        : [
            {
              ...small,
              style: spec.columnStyle ?? 'regular',
              text,
              ...whole(text, spec.columns[column]!),
              x: left + (column + 0.5) * columnPitch + below,
              y: foot,
              colour: inkColour,
              anchor: 'end',
              upright: true,
            },
          ],
    ),
  ];
}

function cellMarks(
  spec: LabelGridSpec,
  { left, top, rowPitch, columnPitch, radius: maxRadius }: LabelGridLayout,
): Mark[] {
  const { values, areas, domain, colours, columns, isPlain } = spec;
  const [low, high] = domain;
  return values.flatMap((value, at): Mark[] => {
    if (value === null) return [];
    const x = left + (at % columns.length) * columnPitch;
    const y = top + Math.floor(at / columns.length) * rowPitch;
    const colour = meanColour(value, domain, colours.ramp);
    if (areas)
      return [dotMark(x + columnPitch / 2, y + rowPitch / 2, maxRadius * Math.sqrt(areas[at]!), colour)];
    const tile: Mark = {
      kind: 'rectangle',
      x: x + tileGap,
      y: y + tileGap,
      width: columnPitch - 2 * tileGap,
      height: rowPitch - 2 * tileGap,
      colour,
    };
    if (isPlain) return [tile];
    const isDark = high > low && (value - low) / (high - low) >= turning;
    return [
      tile,
      {
        ...small,
        text: String(value),
        x: x + columnPitch / 2,
        y: y + rowPitch / 2 + below,
        colour: isDark ? paperColour : inkColour,
        anchor: 'middle',
      },
    ];
  });
}

function dotMark(x: number, y: number, idealRadius: number, colour: string): Mark {
  const radius = Math.max(minDot, idealRadius);
  return { kind: 'dot', x, y, radius, colour, edge: { width: Math.min(0.7, 0.3 * radius), colour: dotEdge } };
}

function legendMarks(spec: LabelGridSpec, { legend, radius: maxRadius }: LabelGridLayout): Mark[] {
  if (!legend) return [];
  const { x, y, width } = legend;
  const { sizes, valueTitle: title, domain, colours } = spec;
  const middle = y + 34 + 4 + maxRadius;
  const pitch = sizes ? width / sizes.entries.length : 0;
  const dots = sizes?.entries.flatMap(({ label, area }, entry): Mark[] => {
    const at = x + (entry + 0.5) * pitch;
    return [
      {
        kind: 'dot',
        x: at,
        y: middle,
        radius: Math.max(minDot, maxRadius * Math.sqrt(area)),
        colour: legendGrey,
        edge: { width: 0.7, colour: softInk },
      },
      { ...small, text: label, x: at, y: middle + maxRadius + 17, colour: inkColour, anchor: 'middle' },
    ];
  });
  const colourTop = sizes ? y + 104 : y;
  return [
    ...(sizes && dots ? [...legendTitle(sizes.title, x, y), ...dots] : []),
    ...rampLegend({ title, domain, ramp: colours.ramp, x, y: colourTop, width }),
  ];
}
