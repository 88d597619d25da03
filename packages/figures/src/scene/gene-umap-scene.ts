import type { GeneUmapSpec } from '../figure.ts';
import { wrappedOnTwo } from '../text/fit-text.ts';
import { tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { ARROW_GUTTER, axisArrows } from './axis-arrows.ts';
import { heading } from './heading.ts';
import type { Mark, Scene } from './scene.ts';
import { INK, MARGIN, PANEL_TOP, SMALL_SIZE, SOFT_INK } from './typography.ts';

const BAR_WIDTH = 14;
const BAR_HEIGHT = 210;
const TICK = 4;
/** Between the shades and the swatch of zero. */
const ZERO_GAP = 5;

/** Points, colour bar with its unit, arrows and heading. */
export function geneUmapScene(spec: GeneUmapSpec): Scene {
  const { width, height } = spec.size;
  const bar = colourBar(spec);
  const panel = {
    x: MARGIN + ARROW_GUTTER,
    y: PANEL_TOP,
    width: width - 2 * MARGIN - ARROW_GUTTER - bar.width - 16,
    height: height - PANEL_TOP - MARGIN - ARROW_GUTTER,
  };
  return {
    width,
    height,
    description: `${spec.title} on ${spec.axes.join(' and ')} of ${spec.datasetName}: ${spec.summary}`,
    panel,
    marks: [...heading(spec, 'semibold-italic'), ...axisArrows(panel, spec.axes), ...bar.marks],
  };
}

/**
 * Room for the numbers of the bar in steps, so that the cells of a dataset lie in the same place in the figures of
 * nearly all its genes: figures side by side can be compared, and share their ground.
 */
function roomFor(labelWidth: number): number {
  return Math.max(textWidth('≥ 0.00', SMALL_SIZE), Math.ceil(labelWidth / 12) * 12);
}

/** The bar, right-aligned in the figure: shades, a swatch for zero, ticks, and the unit turned upright. */
function colourBar(spec: GeneUmapSpec): { width: number; marks: Mark[] } {
  const { domain, colours } = spec;
  const hasZeroSwatch = domain.low === 0;
  const isFlat = domain.high <= domain.low;
  // Without a bar there is nothing to measure.
  const lines = isFlat ? [] : wrappedOnTwo(spec.unit, BAR_HEIGHT + 20, SMALL_SIZE);
  const top = `${domain.clipped ? '≥ ' : ''}${valueText(domain.high)}`;
  const ticks = isFlat
    ? []
    : tidyTicks(domain.low, domain.high, 4).filter(
        // A tick closer than a line of type to either end would touch its label.
        (tick) => {
          const up = ((tick - domain.low) / (domain.high - domain.low)) * BAR_HEIGHT;
          return up > (hasZeroSwatch ? 8 : 17) && up < BAR_HEIGHT - 17;
        },
      );
  const labels = isFlat ? ['0'] : [...ticks.map(valueText), top, valueText(domain.low)];
  const labelWidth = roomFor(Math.max(...labels.map((label) => textWidth(label, SMALL_SIZE))));
  const unitWidth = 18 * lines.length;
  const width = BAR_WIDTH + TICK + 4 + labelWidth + 6 + unitWidth;
  const x = spec.size.width - MARGIN - width;
  const y = PANEL_TOP + 12;
  const labelX = x + BAR_WIDTH + TICK + 4;
  const text = { kind: 'text', size: SMALL_SIZE, style: 'regular', anchor: 'start' } as const;
  const marks: Mark[] = [];
  const labelled = (value: string, at: number): void => {
    marks.push(
      { kind: 'rectangle', x: x + BAR_WIDTH, y: at - 0.5, width: TICK, height: 1, colour: SOFT_INK },
      { ...text, text: value, x: labelX, y: at + SMALL_SIZE * 0.36, colour: INK },
    );
  };
  if (!isFlat) {
    marks.push({ kind: 'ramp', x, y, width: BAR_WIDTH, height: BAR_HEIGHT, shades: colours.ramp });
    labelled(top, y + 0.5);
    for (const tick of ticks) {
      labelled(valueText(tick), y + BAR_HEIGHT * (1 - (tick - domain.low) / (domain.high - domain.low)));
    }
  }
  if (hasZeroSwatch) {
    const swatch = isFlat ? y : y + BAR_HEIGHT + ZERO_GAP;
    marks.push({
      kind: 'rectangle',
      x,
      y: swatch,
      width: BAR_WIDTH,
      height: BAR_WIDTH,
      colour: colours.zero,
    });
    labelled('0', swatch + BAR_WIDTH / 2);
  } else if (!isFlat) labelled(valueText(domain.low), y + BAR_HEIGHT - 0.5);
  const unitX = labelX + labelWidth + 6 + SMALL_SIZE;
  lines.forEach((line, i) => {
    marks.push({
      ...text,
      text: line,
      x: unitX + 18 * i,
      y: y + BAR_HEIGHT / 2,
      colour: SOFT_INK,
      anchor: 'middle',
      upright: true,
    });
  });
  return { width, marks };
}
