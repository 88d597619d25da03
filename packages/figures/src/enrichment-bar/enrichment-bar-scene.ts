import type { EnrichmentBarSpec } from '../figure.ts';
import { heading, panelTop } from '../scene/heading.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../scene/scene.ts';
import { INK, MARGIN, SMALL_SIZE, SOFT_INK, TEXT_SIZE } from '../scene/typography.ts';
import { ellipsisedInside, isWhole, wrappedOnTwo } from '../text/fit-text.ts';
import { tidyTicks, valueText } from '../text/number-text.ts';
import { textWidth } from '../text/text-width.ts';
import { TALL_ROW, THRESHOLD_TOP, termPitch } from './enrichment-bar-layout.ts';

const LONGEST_TERM = 250;
const LINE = 16;
const LABEL_GAP = 10;
const OVERLAP_GAP = 7;
const SIGNIFICANT = '#3567b0';
const NOT_SIGNIFICANT = '#c2c8d1';
const GRID = '#e6e8ec';
const DASH = { length: 5, pitch: 8 } as const;
/** Thickness of a bar as part of its row. */
const BAR_PART = 0.62;

const small = { kind: 'text', size: SMALL_SIZE, style: 'regular' } as const;

/** Terms, bars with their overlaps, threshold, axis and heading. */
export function enrichmentBarScene(spec: EnrichmentBarSpec): Scene {
  const { terms, size } = spec;
  const pitch = termPitch(terms.length);
  const labels = terms.map(({ term }) =>
    pitch === TALL_ROW
      ? wrappedOnTwo(term, LONGEST_TERM, SMALL_SIZE)
      : [ellipsisedInside(term, LONGEST_TERM, SMALL_SIZE)],
  );
  const labelWidth = widest(labels.flat());
  const overlaps = terms.map(({ overlap }) => ellipsisedInside(overlap, 90, SMALL_SIZE));
  const left = Math.ceil(MARGIN + labelWidth + LABEL_GAP);
  const panel: Rectangle = {
    x: left,
    y: panelTop(spec) + THRESHOLD_TOP,
    width: size.width - MARGIN - Math.ceil(widest(overlaps)) - OVERLAP_GAP - left,
    height: terms.length * pitch,
  };
  const cut = -Math.log10(spec.threshold) + 0;
  // The threshold is always in sight; bars that all are shorter than a power of ten still have a scale.
  const high = Math.max(1, 1.12 * cut, ...terms.map((term) => term.score));
  const xOf = (score: number): number => panel.x + (score / high) * panel.width;
  // Where the line of the threshold would cross one overlap, all of the bars before it stand after it.
  const isBefore = (score: number): boolean => xOf(score) < xOf(cut) + 2;
  const isCrossed = terms.some(
    ({ score }, i) =>
      isBefore(score) && xOf(score) + OVERLAP_GAP + textWidth(overlaps[i]!, SMALL_SIZE) > xOf(cut) - 3,
  );
  const overlapX = (score: number): number => xOf(isCrossed && isBefore(score) ? cut : score) + OVERLAP_GAP;
  const marks: Mark[] =
    terms.length === 0
      ? sentence(spec)
      : [
          ...axis(panel, high, xOf),
          ...terms.flatMap((term, i): Mark[] => {
            const middle = panel.y + (i + 0.5) * pitch;
            const thickness = BAR_PART * Math.min(pitch, 32);
            return [
              {
                kind: 'rectangle',
                x: panel.x,
                y: middle - thickness / 2,
                width: xOf(term.score) - panel.x,
                height: thickness,
                colour: term.adjustedP <= spec.threshold ? SIGNIFICANT : NOT_SIGNIFICANT,
              },
              ...overlapMarks(overlaps[i]!, term.overlap, overlapX(term.score), middle),
              ...termLines(labels[i]!, term.term, panel.x - LABEL_GAP, middle),
            ];
          }),
          ...thresholdMarks(panel, xOf(cut), `adjusted p = ${spec.threshold}`, size.width),
          {
            kind: 'rectangle',
            x: panel.x - 0.5,
            y: panel.y,
            width: 1,
            height: panel.height,
            colour: SOFT_INK,
          },
        ];
  return {
    ...size,
    description: `${spec.title} in ${spec.datasetName}, ${spec.subtitle}: ${spec.summary}`,
    panel,
    marks: [...heading(spec, 'semibold'), ...marks],
  };
}

/** The overlap beside the end of a bar, on white so that no line of the scale runs through it. */
function overlapMarks(text: string, full: string, x: number, middle: number): Mark[] {
  const width = textWidth(text, SMALL_SIZE);
  return [
    { kind: 'rectangle', x: x - 2, y: middle - 9, width: width + 4, height: 18, colour: '#ffffff' },
    {
      ...small,
      text,
      ...(text !== full && { full }),
      x,
      y: middle + SMALL_SIZE * 0.36,
      colour: INK,
      anchor: 'start',
    },
  ];
}

function termLines(lines: readonly string[], term: string, x: number, middle: number): TextMark[] {
  return lines.map((text, i) => ({
    ...small,
    text,
    ...(i === 0 && !isWhole(lines, term) && { full: term }),
    x,
    y: middle + SMALL_SIZE * 0.36 + (i - (lines.length - 1) / 2) * LINE,
    colour: INK,
    anchor: 'end',
  }));
}

function axis(panel: Rectangle, high: number, xOf: (score: number) => number): Mark[] {
  const bottom = panel.y + panel.height;
  const ticks = [0, ...tidyTicks(0, high * (1 + 1e-9), 5)];
  return [
    ...ticks.flatMap((tick): Mark[] => [
      { kind: 'rectangle', x: xOf(tick) - 0.5, y: panel.y, width: 1, height: panel.height, colour: GRID },
      { ...small, text: valueText(tick), x: xOf(tick), y: bottom + 19, colour: INK, anchor: 'middle' },
    ]),
    {
      ...small,
      text: '−log₁₀ adjusted p',
      x: panel.x + panel.width / 2,
      y: bottom + 42,
      colour: SOFT_INK,
      anchor: 'middle',
    },
  ];
}

/** A dashed line over the bars with its name above, which stays within the figure. */
function thresholdMarks(panel: Rectangle, x: number, text: string, figureWidth: number): Mark[] {
  const half = textWidth(text, SMALL_SIZE) / 2;
  const dashes = Math.ceil(panel.height / DASH.pitch);
  return [
    ...Array.from({ length: dashes }, (_, i): Mark => {
      const y = panel.y + i * DASH.pitch;
      return {
        kind: 'rectangle',
        x: x - 0.75,
        y,
        width: 1.5,
        height: Math.min(DASH.length, panel.y + panel.height - y),
        colour: INK,
      };
    }),
    {
      ...small,
      text,
      x: Math.min(figureWidth - MARGIN - half, Math.max(MARGIN + half, x)),
      y: panel.y - 7,
      colour: INK,
      anchor: 'middle',
    },
  ];
}

function sentence(spec: EnrichmentBarSpec): TextMark[] {
  return ['No gene set of this library shares a gene with the list,', 'so there is no term to show.'].map(
    (text, i) => ({
      ...small,
      size: TEXT_SIZE,
      text,
      x: MARGIN,
      y: panelTop(spec) + 26 + i * 22,
      colour: INK,
      anchor: 'start',
    }),
  );
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, SMALL_SIZE)), 0);
}
