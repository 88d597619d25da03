import { countText } from '@cellfolio/model';
import type { Figure, CommonSpec } from '../drawing/figure.ts';
import {
  categoryLabels,
  cleanLabel,
  ellipsised,
  sharedRoom,
  wrappedWords,
} from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { gridLine } from '../drawing/scene/lines.ts';
import { fileRows, fittedRows, nameMarks, type NamedRows, rowMiddles } from '../frame/rows.ts';
import type { Mark, Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import {
  figureWidth,
  inkColour,
  margin,
  notSignificant,
  raised,
  significant,
  smallSize,
  softInk,
  textSize,
} from '../drawing/scene/style.ts';
import { areTicksClear, fitText, tidyTicks, valueText } from '../drawing/text/number-text.ts';
import { textWidth, widest } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import type { rankedEnrichmentBarContent } from './content.ts';
import { orNull, type RankedEnrichmentInput, type RankedSet } from './ranked-sets.ts';
import type { rankedEnrichmentBarWords } from './words.ts';

const top = 10;

/** Normalised scores of the most significant sets of each side, the greatest at the top. */
export function rankedEnrichmentBarFigure({
  datasetName,
  ...input
}: RankedEnrichmentInput & Pick<FigureSetting, 'datasetName'>): Figure<RankedBarSpec> {
  const { sets, tested, threshold, significant } = input;
  const best = (isSide: (set: RankedSet) => boolean) =>
    sets
      .filter((set) => Number.isFinite(set.nes) && isSide(set))
      .toSorted((a, b) => (orNull(a.fdr) ?? 1) - (orNull(b.fdr) ?? 1) || Math.abs(b.nes) - Math.abs(a.nes))
      .slice(0, top);
  const shown = [...best(({ nes }) => nes > 0), ...best(({ nes }) => nes < 0)].toSorted(
    (a, b) => b.nes - a.nes,
  );
  const labels = categoryLabels(shown.map(({ term }) => term));
  const subtitle = [input.ranking, input.library].map(cleanLabel).join(' · ');
  const significantCount = significant.top + significant.end;
  return {
    spec: {
      version: 1,
      kind: 'ranked-enrichment-bar',
      title: 'Ranked enrichment',
      subtitle,
      datasetName: cleanLabel(datasetName),
      summary: `${countText(significantCount)} of ${countText(tested)} sets have an FDR q ≤ ${threshold}`,
      size: rankedBarSize(labels, subtitle),
      leastP: input.leastP,
      sides: { top: cleanLabel(input.sides.top), end: cleanLabel(input.sides.end) },
      tested,
      threshold,
      significant,
      genes: input.metric.length,
      sets: shown.map(({ nes, fdr, size, leading }, place) => ({
        term: labels[place]!,
        nes,
        fdr: orNull(fdr),
        size,
        leading,
      })),
      cautions: input.cautions,
    },
    columns: {},
    drawing: rankedBarDrawing,
  };
}

export const rankedEnrichmentBar = plot<typeof rankedEnrichmentBarContent>(
  'ranked-enrichment-bar',
  ({ enrichment }, { datasetName }) => rankedEnrichmentBarFigure({ ...enrichment, datasetName }),
);

interface RankedBarSpec extends SpecOf<typeof rankedEnrichmentBarWords> {}

const row = 25;
const minRow = 17;
const maxRow = 40;
const head = 22;
const foot = 70;
const labelGap = 10;
const emptyHeight = 70;
const maxTermLength = 280;
const small = { kind: 'text', size: smallSize, style: 'regular' } as const;

function rankedBarSize(terms: readonly string[], subtitle: string): CommonSpec['size'] {
  const height = terms.length === 0 ? emptyHeight : head + rowsOfFile(terms).height + foot + margin;
  return { width: figureWidth, height: panelTop({ subtitle }) + height };
}

function rowsOfFile(terms: readonly string[]): NamedRows {
  return fileRows(terms, { rowHeight: row, width: maxTermLength, room: figureWidth });
}

const rankedBarDrawing = withMinimumSize<RankedBarSpec>(
  { scene, fit },
  {
    size: { width: 240, height: 190 },
    sentence: ({ sets, summary }) =>
      sets.length === 0 ? 'There is no set to show.' : `Enlarge to see the sets. ${summary}.`,
  },
);

function fit(spec: RankedBarSpec, size: CommonSpec['size']) {
  const rows = Math.floor(rowRoom({ ...spec, size }) / minRow);
  const keptSets = new Set(
    spec.sets.toSorted((a, b) => Math.abs(b.nes) - Math.abs(a.nes)).slice(0, Math.max(1, rows)),
  );
  const sets = spec.sets.filter((set) => keptSets.has(set));
  const leftOut = fitText(sets.length, spec.sets.length, 'sets');
  return { spec: { ...spec, size, fitted: { leftOut }, sets }, isWhole: leftOut === '' };
}

function rowRoom({ size, noteLines }: Pick<RankedBarSpec, 'size' | 'noteLines'>): number {
  return size.height - panelTop({ fitted: { leftOut: '' }, ...(noteLines && { noteLines }) }) - head - foot;
}

function scene(spec: RankedBarSpec): Scene {
  const { sets, size, fitted } = spec;
  const terms = sets.map(({ term }) => term);
  const rowHeight = Math.max(minRow, Math.min(maxRow, rowRoom(spec) / Math.max(1, sets.length)));
  const rows =
    fitted === undefined ? rowsOfFile(terms) : fittedRows(terms, rowHeight, Math.min(300, 0.48 * size.width));
  const left = Math.ceil(margin + widest(rows.labels.flat()) + labelGap);
  const panel = {
    x: left,
    y: panelTop(spec) + head,
    width: size.width - margin - left,
    height: rows.height,
  };
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...(sets.length === 0 ? emptyMarks(spec) : barMarks(spec, panel, rows)),
    ],
  };
}

function barMarks(spec: RankedBarSpec, panel: Rectangle, rows: NamedRows): Mark[] {
  const { sets, threshold } = spec;
  const middles = rowMiddles(rows, panel.y);
  const highest = Math.max(0.5, ...sets.map(({ nes }) => nes)) * 1.04;
  const lowest = Math.min(-0.5, ...sets.map(({ nes }) => nes)) * 1.04;
  const hasTop = sets.some(({ nes }) => nes > 0);
  const hasEnd = sets.some(({ nes }) => nes < 0);
  const [from, to] = [hasEnd ? lowest : 0, hasTop ? highest : 0];
  const xOf = (nes: number): number => panel.x + ((nes - from) / (to - from)) * panel.width;
  return [
    ...axisMarks(spec, panel, [from, to], xOf),
    ...sets.flatMap(({ term, nes, fdr }, i): Mark[] => {
      const middle = middles[i]!;
      const height = 0.66 * Math.min(rows.rowHeight, 32);
      const passes = fdr !== null && fdr <= threshold;
      const colour = !passes ? notSignificant : nes > 0 ? raised : significant;
      const bar: Mark[] = [
        {
          kind: 'rectangle',
          x: Math.min(xOf(0), xOf(nes)),
          y: middle - height / 2,
          width: Math.abs(xOf(nes) - xOf(0)),
          height,
          colour,
        },
      ];
      return bar.concat(nameMarks(rows.labels[i]!, term, panel.x - labelGap, middle));
    }),
    { kind: 'rectangle', x: xOf(0) - 0.5, y: panel.y, width: 1, height: panel.height, colour: softInk },
  ];
}

function axisMarks(
  { size, sides, threshold, sets }: RankedBarSpec,
  panel: Rectangle,
  [from, to]: readonly [number, number],
  xOf: (nes: number) => number,
): Mark[] {
  const bottom = panel.y + panel.height;
  const ticks = [5, 4, 3, 2, 1]
    .map((count) => ticksOf(from, to, count))
    .find((some) => areTicksClear(some, xOf)) ?? [0];
  const text = (words: string, x: number, y: number, anchor: TextMark['anchor'], room: number): TextMark => {
    const shown = ellipsised(words, room, smallSize);
    return { ...small, text: shown, ...(shown !== words && { full: words }), x, y, colour: softInk, anchor };
  };
  const whole = size.width - 2 * margin;
  const [endRoom, topRoom] = sharedRoom([sides.end, sides.top], whole);
  const [hasEnd, hasTop] = [sets.some(({ nes }) => nes < 0), sets.some(({ nes }) => nes > 0)];
  const name = 'normalised enrichment score';
  const middle = Math.min(
    size.width - margin - textWidth(name, smallSize) / 2,
    Math.max(margin + textWidth(name, smallSize) / 2, panel.x + panel.width / 2),
  );
  return [
    ...ticks.flatMap((tick): Mark[] => [
      gridLine(xOf(tick), panel, 0),
      { ...small, text: valueText(tick), x: xOf(tick), y: bottom + 19, colour: inkColour, anchor: 'middle' },
    ]),
    text(name, middle, bottom + 40, 'middle', whole),
    ...(hasEnd ? [text(sides.end, margin, bottom + 61, 'start', hasTop ? endRoom : whole)] : []),
    ...(hasTop ? [text(sides.top, size.width - margin, bottom + 61, 'end', hasEnd ? topRoom : whole)] : []),
    text(`Coloured: FDR q ≤ ${threshold}`, size.width - margin, panel.y - 8, 'end', whole),
  ];
}

function ticksOf(from: number, to: number, count: number): number[] {
  return [...new Set([...tidyTicks(from, to, count), 0])].toSorted((a, b) => a - b);
}

function emptyMarks(spec: RankedBarSpec): TextMark[] {
  const message = 'No set of this library has as many ranked genes as were asked for.';
  const line = (text: string, i: number): TextMark => ({
    ...small,
    size: textSize,
    text,
    x: margin,
    y: panelTop(spec) + 26 + 22 * i,
    colour: inkColour,
    anchor: 'start',
  });
  return wrappedWords(message, spec.size.width - 2 * margin, textSize).map(line);
}
