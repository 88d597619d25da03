import type { CommonSpec, Drawing } from '../drawing/figure.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  GRID,
  INK,
  NOT_SIGNIFICANT,
  PAPER,
  SIGNIFICANT,
  SOFT_INK,
  MARGIN,
  SMALL_SIZE,
  TEXT_SIZE,
} from '../drawing/scene/style.ts';
import { isWhole, wrappedWords } from '../drawing/text/fit-text.ts';
import { fitText, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { LABEL_GAP, enrichmentBarLayout, termsThatFit } from './layout.ts';
import type { EnrichmentBarLayout } from './layout.ts';
import type { EnrichmentBarSpec } from './spec.ts';

const LINE = 16;
const DASH = { length: 5, pitch: 8 } as const;
/** Thickness of a bar as part of its row, up to that of a row of 32 px. */
const BAR_PART = 0.62;

const small = { kind: 'text', size: SMALL_SIZE, style: 'regular' } as const;

export const enrichmentBarDrawing: Drawing<EnrichmentBarSpec> = { scene, fit };

/** The first terms, without the beginning that all of them share. */
function fit(spec: EnrichmentBarSpec, size: CommonSpec['size']) {
  const shown = spec.terms.slice(0, termsThatFit(size.height));
  const leftOut = fitText(shown.length, spec.terms.length, 'terms');
  const beginning = commonBeginning(shown.map(({ term }) => term));
  const terms =
    beginning === 0
      ? shown
      : shown.map(({ term, ...rest }) => Object.assign(rest, { term: `…${term.slice(beginning)}` }));
  return { spec: { ...spec, size, fitted: { leftOut }, terms }, isWhole: leftOut === '' };
}

/** Letters that all terms begin with, up to an underscore: in little room they would be all that is read of a name. */
function commonBeginning(terms: readonly string[]): number {
  const [first = ''] = terms;
  const beginning = /^[^_]+_/.exec(first)?.[0] ?? '';
  return terms.length > 1 && terms.every((term) => term.startsWith(beginning)) ? beginning.length : 0;
}

/** Terms, bars with their overlaps, threshold, axis and heading. */
function scene(spec: EnrichmentBarSpec): Scene {
  const layout = enrichmentBarLayout(spec);
  const marks = spec.terms.length === 0 ? sentence(spec) : plot(spec, layout);
  return {
    ...spec.size,
    description: `${spec.title} in ${spec.datasetName}, ${spec.subtitle}: ${spec.summary}`,
    panel: layout.panel,
    marks: [...heading(spec, 'semibold'), ...marks],
  };
}

function plot(spec: EnrichmentBarSpec, layout: EnrichmentBarLayout): Mark[] {
  const { panel, line } = layout;
  const threshold = `adjusted p = ${spec.threshold}`;
  return [
    ...axis(layout),
    ...spec.terms.flatMap((_, i) => termMarks(spec, layout, i)),
    ...thresholdMarks(panel, line, threshold, spec.size.width),
    { kind: 'rectangle', x: panel.x - 0.5, y: panel.y, width: 1, height: panel.height, colour: SOFT_INK },
  ];
}

/** Name, bar and overlap of one term. */
function termMarks(spec: EnrichmentBarSpec, layout: EnrichmentBarLayout, i: number): Mark[] {
  const { panel, rowHeight } = layout;
  const { term, score, adjustedP, overlap } = spec.terms[i]!;
  const middle = panel.y + (i + 0.5) * rowHeight;
  const height = BAR_PART * Math.min(rowHeight, 32);
  const colour = adjustedP <= spec.threshold ? SIGNIFICANT : NOT_SIGNIFICANT;
  const width = layout.xOf(score) - panel.x;
  return [
    // Of a p of 1 there is no bar.
    ...(width > 0
      ? [{ kind: 'rectangle', x: panel.x, y: middle - height / 2, width, height, colour } as const]
      : []),
    ...overlapMarks(layout.overlaps[i]!, overlap, layout.overlapStarts[i]!, middle),
    ...termLines(layout.labels[i]!, term, panel.x - LABEL_GAP, middle),
  ];
}

/** The overlap beside the end of a bar, on white so that no line of the scale runs through it. */
function overlapMarks(text: string, full: string, x: number, middle: number): Mark[] {
  const width = textWidth(text, SMALL_SIZE);
  return [
    { kind: 'rectangle', x: x - 2, y: middle - 9, width: width + 4, height: 18, colour: PAPER },
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

function axis({ panel, highest, xOf }: EnrichmentBarLayout): Mark[] {
  const bottom = panel.y + panel.height;
  const ticks = [0, ...tidyTicks(0, highest * (1 + 1e-9), 5)];
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
  const line = (text: string, y: number): TextMark => ({
    ...small,
    size: TEXT_SIZE,
    text,
    x: MARGIN,
    y: panelTop(spec) + y,
    colour: INK,
    anchor: 'start',
  });
  const { minimumOverlap = 1 } = spec;
  const genes = minimumOverlap === 1 ? 'a gene' : `${minimumOverlap} genes`;
  const said = [`No gene set of this library shares ${genes} with the list,`, 'so there is no term to show.'];
  const lines =
    spec.fitted === undefined ? said : wrappedWords(said.join(' '), spec.size.width - 2 * MARGIN, TEXT_SIZE);
  return lines.map((text, i) => line(text, 26 + 22 * i));
}
