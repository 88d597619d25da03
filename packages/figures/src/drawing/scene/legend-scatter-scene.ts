import { countText, pluralWord } from '@cellfolio/model';
import type { FittedSpec, LegendGroup, RestOfGroups, ScatterSpec } from '../figure.ts';
import { themedInk } from '../themed-ink.ts';
import { axisArrows, isTiny, heading, arrowGutter, fittedPanel } from './panel.ts';
import { radiusIn } from './bar-scatter-scene.ts';
import { legendLayout, dotSize, legendEntry, widestCount } from './legend-layout.ts';
import type { Scene, Mark, Rectangle } from './scene.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { textWidth } from '../text/text-width.ts';
import { softInk, margin, smallSize } from './style.ts';

export function legendScatterScene(spec: ScatterSpec, entries: readonly LegendGroup[]): Scene {
  const { panel, marks } = spec.fitted === undefined ? legendLayout(entries) : fittedLegend(spec, entries);
  return {
    ...spec.size,
    panel,
    marks: isTiny(spec) ? [] : [...heading(spec, 'semibold'), ...axisArrows(panel, spec), ...marks],
  };
}

export function fitLegendScatter<Spec extends ScatterSpec & { highlightRadius?: number }>(
  spec: Spec,
  size: ScatterSpec['size'],
  entries: readonly LegendGroup[],
): FittedSpec<Spec> {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  const scene = legendScatterScene(fitted, entries);
  const { pointRadius, highlightRadius } = spec;
  return {
    spec: {
      ...fitted,
      pointRadius: radiusIn(scene, pointRadius),
      ...(highlightRadius !== undefined && { highlightRadius: radiusIn(scene, highlightRadius) }),
    },
    isWhole: fittedLegend(fitted, entries).unnamed === 0,
  };
}

export function darkLegend<Spec extends { colours: object; rest?: { colour: string } | undefined }>({
  colours,
  rest,
}: Spec): Pick<Spec, 'colours' | 'rest'> {
  const dark = (ink: string): string => themedInk(ink, 'dark');
  return {
    colours: Object.fromEntries(Object.entries(colours).map(([name, ink]) => [name, dark(ink as string)])),
    ...(rest && { rest: { ...rest, colour: dark(rest.colour) } }),
  } as Pick<Spec, 'colours' | 'rest'>;
}

export function restLegend(rest: Omit<RestOfGroups, 'codes'> | undefined): LegendGroup[] {
  if (rest === undefined) return [];
  const { groups, colour, cells } = rest;
  return [{ label: `+ ${countText(groups)} more ${pluralWord(groups, 'group')}`, colour, cells }];
}

interface FittedLegend {
  panel: Rectangle;
  marks: readonly Mark[];
  unnamed: number;
}

const rowHeight = 18;
const gapSize = 18;
const columnGap = 20;
const maxColumns = 5;
const labelLimits = [300, 220, 160, 110, 76] as const;
const minMap = 0.55;

interface Arrangement {
  panel: Rectangle;
  columns: number;
  rows: number;
  labelWidth: number;
  x: number;
  y: number;
}

/**
 * Map and legend in a given size: among all legend layouts that leave the map more than half of its room, the one that
 * names most groups, cuts fewest names, and has the largest map. Groups without room for a name, the smallest, are
 * counted in a last line.
 */
function fittedLegend(
  spec: Pick<ScatterSpec, 'fitted' | 'noteLines' | 'size'>,
  groups: readonly LegendGroup[],
): FittedLegend {
  if (isTiny(spec) || groups.length === 0) return { panel: fittedPanel(spec, 0), marks: [], unnamed: 0 };
  const fixed = 2 * dotSize + 8 + 10 + widestCount(groups);
  const widths = groups.map((group) => textWidth(group.label, smallSize));
  let best: Arrangement | undefined;
  let bestWorth = -Infinity;
  for (const arrangement of arrangements(spec, {
    count: groups.length,
    widest: Math.max(...widths),
    fixed,
  })) {
    const { panel, columns, rows, labelWidth } = arrangement;
    const unnamed = Math.max(0, groups.length - columns * rows);
    const cut = widths.filter((width) => width > labelWidth).length;
    const side = Math.min(panel.width, panel.height);
    const worth = side * (1 - (0.3 * cut) / groups.length) - 1e4 * unnamed;
    if (worth > bestWorth) [bestWorth, best] = [worth, arrangement];
  }
  if (best === undefined) return { panel: fittedPanel(spec, 0), marks: [], unnamed: groups.length };
  return { panel: best.panel, ...legendMarks(groups, best, fixed) };
}

function* arrangements(
  spec: Pick<ScatterSpec, 'fitted' | 'noteLines' | 'size'>,
  { count, widest, fixed }: { count: number; widest: number; fixed: number },
): Generator<Arrangement> {
  const whole = fittedPanel(spec, 0);
  const minSide = minMap * Math.min(whole.width, whole.height);
  const available = whole.width + arrowGutter;
  for (const limit of labelLimits) {
    const labelWidth = Math.min(Math.max(widest, 40), limit) + 2;
    for (let columns = 1; columns <= maxColumns; columns++) {
      const width = columns * (labelWidth + fixed) + (columns - 1) * columnGap;
      const rows = Math.floor((whole.height + arrowGutter) / rowHeight);
      const beside = { ...whole, width: whole.width - width - gapSize };
      const x = spec.size.width - margin - width;
      if (beside.width >= minSide) yield { panel: beside, columns, rows, labelWidth, x, y: whole.y - 4 };
      if (width > available) continue;
      const neededRows = Math.ceil(count / columns);
      const room = Math.floor((whole.height - minSide - gapSize) / rowHeight);
      const below = Math.min(neededRows, room);
      if (below < 1) continue;
      const panel = { ...whole, height: whole.height - below * rowHeight - gapSize };
      const y = panel.y + panel.height + arrowGutter + gapSize;
      yield { panel, columns, rows: below, labelWidth, x: margin, y };
    }
    // Wider limits leave all names whole; the narrower ones are for names that are longer.
    if (widest <= 76) return;
  }
}

function legendMarks(
  groups: readonly LegendGroup[],
  { columns, rows, labelWidth, x, y }: Arrangement,
  fixed: number,
): Pick<FittedLegend, 'marks' | 'unnamed'> {
  const places = columns * rows;
  const named =
    groups.length <= places
      ? groups
      : groups
          .map((group, place) => ({ group, place }))
          .sort((a, b) => b.group.cells - a.group.cells || a.place - b.place)
          .slice(0, places - 1)
          .sort((a, b) => a.place - b.place)
          .map(({ group }) => group);
  // Columns as even as they can be: none holds all and the next a single name.
  const perColumn = Math.min(
    rows,
    Math.ceil((named.length + (named.length < groups.length ? 1 : 0)) / columns),
  );
  const placeOf = (i: number): { x: number; y: number } => ({
    x: x + Math.floor(i / perColumn) * (labelWidth + fixed + columnGap),
    y: y + (i % perColumn) * rowHeight,
  });
  const names = fittedNames(
    named.map(({ label }) => label),
    labelWidth,
    smallSize,
  );
  const marks = named.flatMap((group, i) =>
    legendEntry(group, [names[i]!], {
      ...placeOf(i),
      width: labelWidth + fixed,
      height: rowHeight,
    }),
  );
  const unnamed = groups.length - named.length;
  if (unnamed === 0) return { marks, unnamed };
  const last = placeOf(named.length);
  const text = `+ ${countText(unnamed)} more`;
  marks.push({
    kind: 'text',
    text,
    size: smallSize,
    style: 'regular',
    x: last.x + 2 * dotSize + 8,
    y: last.y + 15,
    colour: softInk,
    anchor: 'start',
  });
  return { marks, unnamed };
}
