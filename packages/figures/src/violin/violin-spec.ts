import type { Spec } from 'vega';
import type { GeneViolinSpec, ScoreViolinSpec } from '../figure.ts';
import { FIGURE_WIDTH, INK, MARGIN, PANEL_TOP, SMALL_SIZE, SOFT_INK } from '../scene/typography.ts';
import { heading } from '../scene/heading.ts';
import { ellipsised, ellipsisedInside, wrappedOnTwo } from '../text/fit-text.ts';
import { countText, tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { DENSITY_POINTS } from './density.ts';

/** Axis, its labels and its title below the violins. */
const FOOT = 62;

const TALL_ROW = 38;
const LABEL_WIDTH = 200;
const LABEL_LINE = 16;

/** Height of one violin's row. */
function rowHeight(groups: number): number {
  return groups <= 12 ? TALL_ROW : groups <= 24 ? 28 : 23;
}

/** Every group has its own row, so the figure grows with their number and the type stays as it is. */
export function violinSize(groups: number): { width: number; height: number } {
  return { width: FIGURE_WIDTH, height: PANEL_TOP + Math.max(1, groups) * rowHeight(groups) + FOOT };
}

/**
 * The Vega specification of a violin figure: rows lie, so that long names are read without turning the
 * head. Each violin has its median (dot) and its quartiles (bar); a group of one value is a stroke.
 */
export function violinVegaSpec(spec: GeneViolinSpec | ScoreViolinSpec): Spec {
  const { groups, domain, size } = spec;
  const row = rowHeight(groups.length);
  const counts = groups.map((group) => countText(group.cells));
  const countWidth = Math.max(0, ...counts.map((count) => textWidth(count, SMALL_SIZE)));
  // Only the tallest rows have room for a name on two lines.
  const labels = groups.map((group) =>
    row === TALL_ROW
      ? wrappedOnTwo(group.label, LABEL_WIDTH, SMALL_SIZE)
      : [ellipsisedInside(group.label, LABEL_WIDTH, SMALL_SIZE)],
  );
  const labelWidth = Math.max(0, ...labels.flat().map((line) => textWidth(line, SMALL_SIZE)));
  const left = Math.ceil(MARGIN + labelWidth + 14 + countWidth + 14);
  const width = size.width - left - MARGIN - 6;
  const height = Math.max(1, groups.length) * row;
  const [low, high] = domain[1] > domain[0] ? domain : [0, 1];
  const ticks = domain[1] > domain[0] ? [low, ...tidyTicks(low, high, 5)] : [0];
  const xOf = (value: number): number => round(left + ((value - low) / (high - low)) * width);
  const middle = (i: number): number => PANEL_TOP + (i + 0.5) * row;
  const half = row * 0.43;
  const label = { fontSize: { value: SMALL_SIZE }, baseline: { value: 'middle' } } as const;
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    description: `${spec.title} by ${spec.groupTitle} in ${spec.datasetName}: ${spec.summary}`,
    width: size.width,
    height: size.height,
    padding: 0,
    // Vega would grow the figure by its own guess of how wide the type is.
    autosize: 'none',
    background: '#ffffff',
    config: { text: { font: 'Inter' } },
    data: [
      {
        name: 'outlines',
        values: groups.flatMap((group, i) =>
          (group.density ?? []).map((density, k) => {
            const [from, to] = group.range!;
            const thickness = half * density;
            return {
              group: i,
              x: xOf(from + ((to - from) * k) / (DENSITY_POINTS - 1)),
              top: round(middle(i) - thickness),
              bottom: round(middle(i) + thickness),
              colour: group.colour,
            };
          }),
        ),
      },
      {
        name: 'groups',
        values: groups.map((group, i) => ({
          y: middle(i),
          label: labels[i],
          labelY: middle(i) - ((labels[i]!.length - 1) * LABEL_LINE) / 2,
          count: counts[i],
          colour: group.colour,
          isFlat: group.density === null,
          at: xOf(group.range?.[0] ?? 0),
          top: middle(i) - half,
          bottom: middle(i) + half,
          first: xOf(group.quartiles?.[0] ?? 0),
          median: xOf(group.quartiles?.[1] ?? 0),
          third: xOf(group.quartiles?.[2] ?? 0),
        })),
      },
      { name: 'ticks', values: ticks.map((value) => ({ x: xOf(value), text: valueText(value) })) },
      {
        name: 'heading',
        values: heading(spec, 'semibold-italic').map(({ text, x, y, size: fontSize, colour, style }) => ({
          text,
          x,
          y,
          fontSize,
          colour,
          isTitle: style !== 'regular',
        })),
      },
    ],
    marks: [
      {
        type: 'text',
        from: { data: 'heading' },
        encode: {
          enter: {
            x: { field: 'x' },
            y: { field: 'y' },
            text: { field: 'text' },
            fontSize: { field: 'fontSize' },
            fill: { field: 'colour' },
            fontWeight: { signal: 'datum.isTitle ? 600 : 400' },
            fontStyle: { signal: "datum.isTitle ? 'italic' : 'normal'" },
          },
        },
      },
      {
        type: 'rule',
        from: { data: 'ticks' },
        encode: {
          enter: {
            x: { field: 'x' },
            y: { value: PANEL_TOP },
            y2: { value: PANEL_TOP + height },
            stroke: { value: '#e6e8ec' },
          },
        },
      },
      {
        type: 'group',
        from: { facet: { data: 'outlines', name: 'outline', groupby: 'group' } },
        marks: [
          {
            type: 'area',
            from: { data: 'outline' },
            encode: {
              enter: {
                x: { field: 'x' },
                y: { field: 'top' },
                y2: { field: 'bottom' },
                fill: { field: 'colour' },
                // Keeps the thin tails of a violin in one piece.
                stroke: { field: 'colour' },
                strokeWidth: { value: 1 },
              },
            },
          },
        ],
      },
      {
        type: 'rule',
        from: { data: 'groups' },
        encode: {
          enter: {
            x: { field: 'at' },
            y: { field: 'top' },
            y2: { field: 'bottom' },
            stroke: { field: 'colour' },
            strokeWidth: { value: 2.5 },
            opacity: { signal: 'datum.isFlat ? 1 : 0' },
          },
        },
      },
      {
        type: 'rule',
        from: { data: 'groups' },
        encode: {
          enter: {
            x: { field: 'first' },
            x2: { field: 'third' },
            y: { field: 'y' },
            stroke: { value: INK },
            strokeWidth: { value: 4 },
            strokeCap: { value: 'butt' },
            opacity: { signal: 'datum.isFlat ? 0 : 1' },
          },
        },
      },
      {
        type: 'symbol',
        from: { data: 'groups' },
        encode: {
          enter: {
            x: { field: 'median' },
            y: { field: 'y' },
            size: { value: 34 },
            fill: { value: '#ffffff' },
            stroke: { value: INK },
            strokeWidth: { value: 1.25 },
            opacity: { signal: 'datum.isFlat ? 0 : 1' },
          },
        },
      },
      {
        type: 'text',
        from: { data: 'groups' },
        encode: {
          enter: {
            ...label,
            x: { value: left - 14 - countWidth - 14 },
            y: { field: 'labelY' },
            lineHeight: { value: LABEL_LINE },
            text: { field: 'label' },
            align: { value: 'right' },
            fill: { value: INK },
          },
        },
      },
      {
        type: 'text',
        from: { data: 'groups' },
        encode: {
          enter: {
            ...label,
            x: { value: left - 14 },
            y: { field: 'y' },
            text: { field: 'count' },
            align: { value: 'right' },
            fill: { value: SOFT_INK },
          },
        },
      },
      {
        type: 'text',
        from: { data: 'ticks' },
        encode: {
          enter: {
            ...label,
            x: { field: 'x' },
            y: { value: PANEL_TOP + height + 15 },
            text: { field: 'text' },
            align: { value: 'center' },
            fill: { value: INK },
          },
        },
      },
      {
        type: 'text',
        encode: {
          enter: {
            ...label,
            x: { value: left + width / 2 },
            y: { value: PANEL_TOP + height + 38 },
            text: { value: ellipsised(spec.unit, width, SMALL_SIZE) },
            align: { value: 'center' },
            fill: { value: SOFT_INK },
          },
        },
      },
    ],
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
