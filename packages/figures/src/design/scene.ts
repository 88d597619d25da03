import { countText } from '@cellfolio/model';
import { darkScoreRamp } from '../drawing/colour/ramps.ts';
import type { CommonSpec } from '../drawing/figure.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { sideColours } from '../drawing/samples/sample-figure.ts';
import { heading } from '../drawing/scene/panel.ts';
import type { Mark, Scene, TextMark } from '../drawing/scene/scene.ts';
import { hairlineColour, inkColour, margin, smallSize, softInk, toBaseline } from '../drawing/scene/style.ts';
import { ellipsised } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { fitText, valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { designLayout, type DesignLayout, namedCoefficient, swatch } from './layout.ts';
import type { DesignColumn, DesignSpec } from './spec.ts';

export { designSize } from './layout.ts';

export const designDrawing = withMinimumSize<DesignSpec>(
  { scene, fit, dark: () => ({ colours: { ramp: darkScoreRamp } }) },
  {
    size: { width: 240, height: 170 },
    sentence: ({ samples }) => `Enlarge to see ${samples.length} samples.`,
  },
);

/** Keeps evenly spaced samples, so that both sides are present, and the first columns and coefficients. */
function fit(spec: DesignSpec, size: CommonSpec['size']) {
  const all = { ...spec, size, fitted: { leftOut: '' } };
  const { rows, columns, coefficients } = designLayout(all);
  const step = spec.samples.length / rows;
  const keptRows = Array.from({ length: rows }, (_, row) => Math.floor(row * step));
  const pick = <T>(values: readonly T[]): T[] => keptRows.map((at) => values[at]!);
  const leftOut = [
    fitText(rows, spec.samples.length, 'samples'),
    fitText(columns.length, spec.columns.length, 'columns'),
    fitText(coefficients.xs.length, spec.coefficients.length, 'coefficients'),
  ].filter((text) => text !== '');
  return {
    spec: {
      ...all,
      fitted: { leftOut: leftOut.join(', ') },
      samples: pick(spec.samples),
      columns: spec.columns.map((column) =>
        'codes' in column
          ? Object.assign({}, column, { codes: pick(column.codes) })
          : Object.assign({}, column, { values: pick(column.values) }),
      ),
      coefficients: spec.coefficients.map(({ name, values }) => ({ name, values: pick(values) })),
    },
    isWhole: leftOut.length === 0,
  };
}

function text(shown: string, how: Partial<TextMark> & Pick<TextMark, 'x' | 'y'>, full = shown): TextMark {
  return {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    anchor: 'start',
    colour: inkColour,
    text: shown,
    ...(shown !== full && { full }),
    ...how,
  };
}

function scene(spec: DesignSpec): Scene {
  const { size, samples, columns } = spec;
  const layout = designLayout(spec);
  const { top, rowHeight, bar } = layout;
  return {
    ...size,
    panel: {
      x: bar.x,
      y: top,
      width: size.width - margin - bar.x,
      height: samples.length * rowHeight,
    },
    marks: [
      ...heading(spec, 'semibold'),
      ...sampleRows(spec, layout),
      ...layout.columns.flatMap((place, at) => columnMarks(columns[at]!, place, spec, layout)),
      ...coefficientMarks(spec, layout),
    ],
  };
}

function sampleRows(
  { samples }: DesignSpec,
  { top, rowHeight, hasTexts, labelEnd, bar }: DesignLayout,
): Mark[] {
  const maxCells = Math.max(1, ...samples.map(({ cells }) => cells));
  const counts = samples.map(({ cells }) => countText(cells));
  const longest = Math.max(...counts.map((count) => textWidth(count, smallSize)));
  const hasCounts = hasTexts && bar.width > longest + 30;
  const barRoom = hasCounts ? bar.width - longest - 6 : bar.width;
  const thickness = rowHeight > 6 ? 0.62 * rowHeight : rowHeight;
  const names = fittedNames(
    samples.map(({ label }) => label),
    labelEnd - margin,
    smallSize,
  );
  return [
    ...(hasTexts ? [text('sample', { x: labelEnd, y: top - 9, anchor: 'end', colour: softInk })] : []),
    text('cells', { x: bar.x, y: top - 9, colour: softInk }),
    ...samples.flatMap(({ label, side, cells }, row): Mark[] => {
      const middle = top + (row + 0.5) * rowHeight;
      const width = Math.max(1, (cells / maxCells) * barRoom);
      const shown = names[row]!;
      return [
        ...(hasTexts ? [text(shown, { x: labelEnd, y: middle + toBaseline, anchor: 'end' }, label)] : []),
        {
          kind: 'rectangle',
          x: bar.x,
          y: middle - thickness / 2,
          width,
          height: thickness,
          colour: sideColours[side],
        },
        ...(hasCounts
          ? [text(counts[row]!, { x: bar.x + width + 5, y: middle + toBaseline, colour: softInk })]
          : []),
      ];
    }),
  ];
}

function columnMarks(
  column: DesignColumn,
  { x, width }: { x: number; width: number },
  { colours: { ramp } }: DesignSpec,
  { top, rowHeight, isWide, head }: DesignLayout,
): Mark[] {
  const tiles = tilesOf(column, ramp);
  const texts = fittedNames(
    tiles.map((tile) => tile.text),
    Math.max(0, width - swatch - 6),
    smallSize,
  );
  const pad = rowHeight > 6 ? 1 : 0;
  return [
    ...(isWide
      ? [text(ellipsised(column.title, width, smallSize), { x, y: top - 9, colour: softInk }, column.title)]
      : [
          text(
            ellipsised(column.title, head - 14, smallSize),
            { x: x + width / 2 + toBaseline, y: top - 9, upright: true, colour: softInk },
            column.title,
          ),
        ]),
    ...tiles.flatMap((tile, row): Mark[] => {
      const y = top + row * rowHeight;
      const side = isWide ? Math.min(swatch, rowHeight - 4) : rowHeight - pad;
      const mark: Mark = {
        kind: 'rectangle',
        x,
        y: y + (rowHeight - side) / 2,
        width: isWide ? swatch : width,
        height: side,
        colour: tile.colour,
      };
      if (!isWide) return [mark];
      return [mark, text(texts[row]!, { x: x + swatch + 6, y: y + rowHeight / 2 + toBaseline }, tile.text)];
    }),
  ];
}

function tilesOf(column: DesignColumn, ramp: readonly string[]): { text: string; colour: string }[] {
  if ('codes' in column) {
    return column.codes.map((code) => {
      const level = column.levels[code];
      return { text: level?.label ?? '–', colour: level?.colour ?? hairlineColour };
    });
  }
  const shade = shadesOf(
    column.values.filter((value) => value !== null),
    ramp,
  );
  return column.values.map((value) =>
    value === null ? { text: '–', colour: hairlineColour } : { text: valueText(value), colour: shade(value) },
  );
}

/** From the minimum to the maximum of the values; if they are all 0 or 1, 0 stays pale. */
function shadesOf(values: readonly number[], ramp: readonly string[]): (value: number) => string {
  const isSwitch = values.every((value) => value === 0 || value === 1);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => {
    if (isSwitch) return value === 0 ? hairlineColour : ramp.at(-1)!;
    const part = high > low ? (value - low) / (high - low) : 1;
    return ramp[Math.round(part * (ramp.length - 1))]!;
  };
}

function coefficientMarks(
  { coefficients, colours: { ramp } }: DesignSpec,
  { coefficients: { xs, width }, top, rowHeight, head }: DesignLayout,
): Mark[] {
  const pad = rowHeight > 6 ? 1 : 0;
  const names = fittedNames(
    coefficients.map(({ name }) => name),
    head - 12,
    smallSize,
  );
  return xs.flatMap((x, at): Mark[] => {
    const { name, values } = coefficients[at]!;
    const shade = shadesOf(values, ramp);
    const shown = names[at]!;
    return [
      ...(width >= namedCoefficient
        ? [
            text(
              shown,
              {
                x: x + width / 2 + toBaseline,
                y: top - 9,
                upright: true,
                colour: softInk,
              },
              name,
            ),
          ]
        : []),
      ...values.map((value, row): Mark => ({
        kind: 'rectangle',
        x,
        y: top + row * rowHeight,
        width: width - 1,
        height: rowHeight - pad,
        colour: shade(value),
      })),
    ];
  });
}
