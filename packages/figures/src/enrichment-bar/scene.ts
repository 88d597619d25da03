import type { CommonSpec } from '../drawing/figure.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { centredWithin, heading, panelTop } from '../drawing/scene/panel.ts';
import { gridLine } from '../drawing/scene/lines.ts';
import { nameMarks } from '../frame/rows.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  inkColour,
  notSignificant,
  paperColour,
  significant,
  softInk,
  margin,
  smallSize,
  textSize,
} from '../drawing/scene/style.ts';
import { wrappedWords } from '../drawing/text/fit-text.ts';
import { areTicksClear, fitText, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import {
  labelGap,
  enrichmentBarLayout,
  overlapsFrom,
  termsThatFit,
  type EnrichmentBarLayout,
} from './layout.ts';
import type { EnrichmentBarSpec } from './spec.ts';

const dashPattern = { length: 5, pitch: 8 } as const;
const barPart = 0.62;
const maxBarRow = 64;

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

export const enrichmentBarDrawing = withMinimumSize<EnrichmentBarSpec>(
  { scene, fit },
  {
    size: { width: 200, height: 150 },
    sentence: ({ terms }) =>
      terms.length === 0
        ? 'There is no term to show.'
        : `Enlarge to see ${terms.length === 1 ? 'the term' : `${terms.length} terms`}.`,
  },
);

function fit(spec: EnrichmentBarSpec, size: CommonSpec['size']) {
  const shown = spec.terms.slice(0, termsThatFit({ ...spec, size }));
  const leftOut = fitText(shown.length, spec.terms.length, 'terms');
  const beginning = commonBeginning(shown.map(({ term }) => term));
  const terms =
    beginning === 0
      ? shown
      : shown.map(({ term, ...rest }) => Object.assign(rest, { term: `…${term.slice(beginning)}` }));
  const fitted = fittedWith(leftOut, { 'the overlaps': size.width >= overlapsFrom });
  return { spec: { ...spec, size, fitted, terms }, isWhole: leftOut === '' };
}

/**
 * Length of the common prefix of all terms, up to an underscore: in little room nothing else of a name would be
 * visible.
 */
function commonBeginning(terms: readonly string[]): number {
  const [first = ''] = terms;
  const beginning = /^[^_]+_/.exec(first)?.[0] ?? '';
  return terms.length > 1 && terms.every((term) => term.startsWith(beginning)) ? beginning.length : 0;
}

function scene(spec: EnrichmentBarSpec): Scene {
  const layout = enrichmentBarLayout(spec);
  const marks = spec.terms.length === 0 ? sentence(spec) : plot(spec, layout);
  return {
    ...spec.size,
    panel: layout.panel,
    marks: [...heading(spec, 'semibold'), ...marks],
  };
}

function plot(spec: EnrichmentBarSpec, layout: EnrichmentBarLayout): Mark[] {
  const { panel, line } = layout;
  const threshold = `adjusted p = ${spec.threshold}`;
  return [
    ...axis(layout, spec.size.width),
    ...spec.terms.flatMap((_, i) => termMarks(spec, layout, i)),
    ...thresholdMarks(panel, line, threshold, spec.size.width),
    { kind: 'rectangle', x: panel.x - 0.5, y: panel.y, width: 1, height: panel.height, colour: softInk },
  ];
}

function termMarks(spec: EnrichmentBarSpec, layout: EnrichmentBarLayout, i: number): Mark[] {
  const { panel, rows } = layout;
  const middle = layout.middles[i]!;
  const { term, score, adjustedP, overlap } = spec.terms[i]!;
  const shownOverlap = layout.overlaps[i];
  const height = barPart * Math.min(rows.rowHeight, spec.fitted === undefined ? 32 : maxBarRow);
  const colour = adjustedP <= spec.threshold ? significant : notSignificant;
  const width = layout.xOf(score) - panel.x;
  return [
    // A p of 1 has no bar.
    ...(width > 0
      ? [{ kind: 'rectangle', x: panel.x, y: middle - height / 2, width, height, colour } as const]
      : []),
    ...(shownOverlap === undefined
      ? []
      : overlapMarks(shownOverlap, overlap, layout.overlapStarts[i]!, middle)),
    ...nameMarks(rows.labels[i]!, term, panel.x - labelGap, middle),
  ];
}

function overlapMarks(text: string, full: string, x: number, middle: number): Mark[] {
  const width = textWidth(text, smallSize);
  return [
    { kind: 'rectangle', x: x - 2, y: middle - 9, width: width + 4, height: 18, colour: paperColour },
    {
      ...small,
      text,
      ...(text !== full && { full }),
      x,
      y: middle + smallSize * 0.36,
      colour: inkColour,
      anchor: 'start',
    },
  ];
}

const axisTitle = '−log₁₀ adjusted p';

function axis({ panel, highest, xOf }: EnrichmentBarLayout, figureWidth: number): Mark[] {
  const bottom = panel.y + panel.height;
  const ticks = ticksOf(highest, xOf);
  return [
    ...ticks.flatMap((tick): Mark[] => [
      gridLine(xOf(tick), panel, 0),
      { ...small, text: valueText(tick), x: xOf(tick), y: bottom + 19, colour: inkColour, anchor: 'middle' },
    ]),
    {
      ...small,
      text: axisTitle,
      x: centredWithin(textWidth(axisTitle, smallSize), panel, figureWidth),
      y: bottom + 42,
      colour: softInk,
      anchor: 'middle',
    },
  ];
}

function ticksOf(highest: number, xOf: (score: number) => number): number[] {
  for (let count = 5; count > 0; count--) {
    const ticks = [0, ...tidyTicks(0, highest * (1 + 1e-9), count)];
    if (areTicksClear(ticks, xOf)) return ticks;
  }
  return [0];
}

function thresholdMarks(panel: Rectangle, x: number, text: string, figureWidth: number): Mark[] {
  const half = textWidth(text, smallSize) / 2;
  const dashes = Math.ceil(panel.height / dashPattern.pitch);
  return [
    ...Array.from({ length: dashes }, (_, i): Mark => {
      const y = panel.y + i * dashPattern.pitch;
      return {
        kind: 'rectangle',
        x: x - 0.75,
        y,
        width: 1.5,
        height: Math.min(dashPattern.length, panel.y + panel.height - y),
        colour: inkColour,
      };
    }),
    {
      ...small,
      text,
      x: Math.min(figureWidth - margin - half, Math.max(margin + half, x)),
      y: panel.y - 7,
      colour: inkColour,
      anchor: 'middle',
    },
  ];
}

function sentence(spec: EnrichmentBarSpec): TextMark[] {
  const line = (text: string, y: number): TextMark => ({
    ...small,
    size: textSize,
    text,
    x: margin,
    y: panelTop(spec) + y,
    colour: inkColour,
    anchor: 'start',
  });
  const { minimumOverlap = 1 } = spec;
  const genes = minimumOverlap === 1 ? 'a gene' : `${minimumOverlap} genes`;
  const sentenceLines = [
    `No gene set of this library shares ${genes} with the list,`,
    'so there is no term to show.',
  ];
  const lines =
    spec.fitted === undefined
      ? sentenceLines
      : wrappedWords(sentenceLines.join(' '), spec.size.width - 2 * margin, textSize);
  return lines.map((text, i) => line(text, 26 + 22 * i));
}
