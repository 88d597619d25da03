import type { FittedSpec, ScatterSpec } from '../figure.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { arrowGutter, axisArrows, fittedPanel, isTiny, heading, panelTop } from './panel.ts';
import type { Scene, Mark } from './scene.ts';
import { margin, inkColour, softInk, smallSize } from './style.ts';
import { wrappedLines } from '../text/fit-text.ts';
import { logTicks, tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';

/** A higher bar is not easier to read, since its ends are read. */
export const maxBarHeight = 280;

export function barScatterScene(
  spec: ScatterSpec & { subtitle?: string },
  bar: ColourBar,
  titleStyle: FontStyle,
): Scene {
  const { width, height } = spec.size;
  const top = panelTop(spec);
  if (isTiny(spec)) return { width, height, panel: fittedPanel(spec, 0), marks: [] };
  const room = height - top - margin - aboveBar - belowBar;
  const { width: barWidth, marks } = colourBar(
    spec.fitted === undefined ? bar : { ...bar, height: Math.min(maxBarHeight, room) },
    { figureWidth: width, top },
  );
  const panel = {
    x: margin + arrowGutter,
    y: top,
    width: width - 2 * margin - arrowGutter - barWidth - 16,
    height: height - top - margin - arrowGutter,
  };
  return {
    width,
    height,
    panel,
    marks: [...heading(spec, titleStyle), ...axisArrows(panel, spec), ...marks],
  };
}

export function fitBarScatter<Spec extends ScatterSpec>(
  spec: Spec,
  size: ScatterSpec['size'],
  sceneOf: (spec: Spec) => Scene,
): FittedSpec<Spec> {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  const pointRadius = radiusIn(sceneOf(fitted), spec.pointRadius);
  return { spec: { ...fitted, pointRadius }, isWhole: true };
}

const defaultSide = 366;

/** Scales the point radius with the scene's panel, so that the same share of it is inked. */
export function radiusIn({ panel }: Pick<Scene, 'panel'>, radius: number): number {
  const growth = Math.min(panel.width, panel.height) / defaultSide;
  return Number(Math.max(0.4, radius * growth).toFixed(3));
}

interface ColourBar {
  low: number;
  high: number;
  clippedLow: boolean;
  clippedHigh: boolean;
  ramp: readonly string[];
  /** Colour of a value of zero without a shade: it gets a separate swatch below the bar. `low` is then not below 0. */
  zeroSwatch?: string;
  /** Draws a line across the bar at zero, always with its number. */
  marksZero?: boolean;
  unit: string;
  /** Shades follow log(1 + x); the numbers stay those of x. */
  log?: boolean;
  /** Default 210. */
  height?: number;
}

const barThickness = 14;
const defaultHeight = 210;
export const belowBar = 34;
export const aboveBar = 12;
const tickLength = 4;
const zeroGap = 5;
const bottomGap = 14;
const lineHeight = 17;

/**
 * Width of the bar's numbers in steps, so that the cells of a dataset are at the same place in the figures of nearly
 * all its genes: figures can be compared side by side, and share their background.
 */
function roomFor(labelWidth: number): number {
  return Math.max(textWidth('≥ 0.00', smallSize), Math.ceil(labelWidth / 12) * 12);
}

export function colourBar(
  bar: ColourBar,
  { figureWidth, top: panelTopAt }: { figureWidth: number; top: number },
): { width: number; marks: Mark[] } {
  const { low, high, zeroSwatch, height: barHeight = defaultHeight } = bar;
  const isFlat = high <= low;
  // Without a bar there is nothing to measure.
  const lines = isFlat
    ? []
    : wrappedLines(bar.log === true ? `${bar.unit}, log(1 + x)` : bar.unit, barHeight + 20, smallSize);
  const place = bar.log === true ? Math.log1p : (value: number): number => value;
  const upOf = (value: number): number =>
    ((place(value) - place(low)) / (place(high) - place(low))) * barHeight;
  const zero = bar.marksZero === true && !isFlat && low < 0 && high > 0 ? [upOf(0)] : [];
  // A number closer than a line of type to another would touch it.
  const occupied = [...zero, barHeight];
  const hasBottom = zeroSwatch === undefined || low > 0;
  const lowestTick = hasBottom ? lineHeight : 8;
  const candidates = isFlat ? [] : bar.log === true ? logTicks(low, high) : tidyTicks(low, high, 4);
  const ticks = candidates.filter((tick) => {
    const up = upOf(tick);
    if (up <= lowestTick || occupied.some((other) => Math.abs(up - other) <= lineHeight - 1e-9)) return false;
    occupied.push(up);
    return true;
  });
  const top = `${bar.clippedHigh ? '≥ ' : ''}${valueText(high)}`;
  const bottom = `${bar.clippedLow ? '≤ ' : ''}${valueText(low)}`;
  const labels = isFlat ? [valueText(low)] : [...ticks.map(valueText), top, bottom];
  const labelWidth = roomFor(Math.max(...labels.map((label) => textWidth(label, smallSize))));
  const width = barThickness + tickLength + 4 + labelWidth + 6 + 18 * lines.length;
  const x = figureWidth - margin - width;
  const y = panelTopAt + aboveBar;
  const labelX = x + barThickness + tickLength + 4;
  const text = { kind: 'text', size: smallSize, style: 'regular', anchor: 'start' } as const;
  const marks: Mark[] = [];
  const swatch = (at: number, colour: string): void => {
    marks.push({ kind: 'rectangle', x, y: at, width: barThickness, height: barThickness, colour });
  };
  const labelled = (value: string, at: number, labelAt = at): void => {
    marks.push(
      { kind: 'rectangle', x: x + barThickness, y: at - 0.5, width: tickLength, height: 1, colour: softInk },
      { ...text, text: value, x: labelX, y: labelAt + smallSize * 0.36, colour: inkColour },
    );
  };
  if (!isFlat) {
    marks.push({ kind: 'ramp', x, y, width: barThickness, height: barHeight, shades: bar.ramp });
    labelled(top, y + 0.5);
    for (const tick of ticks) labelled(valueText(tick), y + barHeight - upOf(tick));
    for (const up of zero) {
      const at = y + barHeight - up;
      marks.push({
        kind: 'rectangle',
        x: x - 3,
        y: at - 0.75,
        width: barThickness + 3,
        height: 1.5,
        colour: inkColour,
      });
      labelled('0', at, Math.min(y + barHeight - lineHeight, Math.max(y + lineHeight, at)));
    }
  }
  if (zeroSwatch !== undefined) {
    const at = isFlat ? y : y + barHeight + (hasBottom ? bottomGap : zeroGap);
    swatch(at, zeroSwatch);
    labelled('0', at + barThickness / 2);
  } else if (isFlat) {
    swatch(y, bar.ramp[0]!);
    labelled(valueText(low), y + barThickness / 2);
  }
  if (hasBottom && !isFlat) labelled(bottom, y + barHeight - 0.5);
  const unitX = labelX + labelWidth + 6 + smallSize;
  lines.forEach((line, i) => {
    marks.push({
      ...text,
      text: line,
      x: unitX + 18 * i,
      y: y + barHeight / 2,
      colour: softInk,
      anchor: 'middle',
      upright: true,
    });
  });
  return { width, marks };
}
