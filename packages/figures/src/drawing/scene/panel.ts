import type { CommonSpec, ScatterSpec } from '../figure.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { ellipsised, wrappedWords } from '../text/fit-text.ts';
import { textWidth } from '../text/text-width.ts';
import type { TextMark, Mark, Rectangle } from './scene.ts';
import {
  inkColour,
  softInk,
  margin,
  panelTopEdge,
  smallSize,
  textSize,
  titleLines,
  titleSize,
} from './style.ts';

type Headed = Pick<
  CommonSpec,
  'title' | 'datasetName' | 'summary' | 'size' | 'fitted' | 'noteLines' | 'titleBlock' | 'simulated'
> & {
  subtitle?: string;
};

export function panelTop({
  subtitle,
  fitted,
  noteLines,
}: Pick<Headed, 'subtitle' | 'fitted' | 'noteLines'>): number {
  if (fitted !== undefined) return noteLine + 12 + (noteLines === 2 ? noteHeight : 0);
  return panelTopEdge + (subtitle ? subtitleLine : 0);
}

const noteLine = 20;
const noteHeight = 18;

const subtitleLine = 20;

/** Lines of each row of a title block; a longer text is cut in its last line. */
const maxHeadLines = 4;
const lineHeight = { title: 28, text: 20 } as const;

/**
 * Title, subtitle if there is one, dataset and cell count, each on as many lines as it needs: their last line is where
 * it always is, so that a block of more lines begins above the figure, and `fileFigure` makes room for it. If the page
 * names the figure, one or two note lines. Gene symbols are in italics, as in print.
 */
export function heading(spec: Headed, titleStyle: FontStyle): TextMark[] {
  const width = spec.size.width - 2 * margin;
  const text = (full: string, y: number, size: number, style: FontStyle, colour: string): TextMark => {
    const shown = ellipsised(full, width, size, style);
    const cut = shown !== full && { full };
    return { kind: 'text', text: shown, ...cut, x: margin, y, size, style, colour, anchor: 'start' };
  };
  if (spec.fitted !== undefined) {
    return noteOf(spec, spec.noteLines ?? 1).lines.map((line, i) =>
      text(line, noteLine + i * noteHeight, smallSize, 'regular', softInk),
    );
  }
  if (spec.titleBlock === false) {
    const y = panelTop(spec) - headStrip(spec) + noteLine;
    return spec.simulated === true ? [text('Simulated data', y, textSize, 'regular', softInk)] : [];
  }
  const rows = headRows(spec);
  let y = titleLines[0] - headOverflow(spec);
  return rows.flatMap(({ lines, isTitle, colour }, row) => {
    if (row > 0) y += rows[row - 1]!.isTitle ? titleLines[1] - titleLines[0] : lineHeight.text;
    return lines.flatMap((line, i) => {
      if (i > 0) y += isTitle ? lineHeight.title : lineHeight.text;
      const [size, style] = isTitle ? ([titleSize, titleStyle] as const) : ([textSize, 'regular'] as const);
      return line === '' ? [] : [text(line, y, size, style, colour)];
    });
  });
}

/** CSS pixels above the panel of a figure without a title block; simulated data says so there. */
export function headStrip({ simulated }: Pick<Headed, 'simulated'>): number {
  return simulated === true ? 36 : margin;
}

/** CSS pixels by which a title block begins above the figure, for its lines beyond one a row. */
export function headOverflow(spec: Headed): number {
  return headRows(spec).reduce(
    (sum, { lines, isTitle }) => sum + (lines.length - 1) * (isTitle ? lineHeight.title : lineHeight.text),
    0,
  );
}

function headRows({ title, subtitle = '', datasetName, summary, size }: Headed) {
  // Italics are a trace wider than the upright letters that lines are broken by.
  const width = size.width - 2 * margin - 4;
  const row = (text: string, colour: string, isTitle = false) => {
    const broken = isTitle
      ? wrappedWords(text, width, titleSize, 'semibold')
      : wrappedWords(text, width, textSize);
    const last = broken.slice(maxHeadLines - 1).join(' ');
    const lines = broken.length > maxHeadLines ? [...broken.slice(0, maxHeadLines - 1), last] : broken;
    // A separator at the end of a line separates nothing.
    return { lines: lines.map((line) => line.replace(/ ·$/, '')), colour, isTitle };
  };
  return [
    row(title, inkColour, true),
    ...(subtitle === '' ? [] : [row(subtitle, inkColour)]),
    row(datasetName, softInk),
    row(summary, softInk),
  ];
}

interface Note {
  lines: readonly string[];
  unsaid: readonly string[];
}

/**
 * Note on what a figure in a page leaves out, with the reason and further remarks, as far as they fit the lines: a
 * remark without room is dropped whole, the first one from its last comma.
 */
export function noteOf({ fitted, subtitle = '', summary, size }: Headed, lines: number): Note {
  const width = size.width - 2 * margin;
  const leftOut = fitted?.leftOut ?? '';
  const others = [subtitle, summary].flatMap((text) => text.split(' · ')).filter(Boolean);
  const broken = (parts: readonly string[]): string[] => wrappedWords(parts.join(' · '), width, smallSize);
  const isFit = (parts: readonly string[]): boolean => {
    const shown = broken(parts);
    return shown.length <= lines && shown.every((text) => textWidth(text, smallSize) <= width);
  };
  const unsaid: string[] = [];
  let shownLines: string[] = [];
  if (leftOut !== '') {
    const whole = `${leftOut} fit here`;
    shownLines = [isFit([whole]) ? whole : leftOut];
  }
  for (const part of others) {
    const clauses = part.split(', ');
    // What counts the cells comes first, and how they were chosen behind it.
    const minClauses = shownLines.length === 0 ? 1 : clauses.length;
    let keptClauses = clauses.length;
    while (keptClauses > minClauses && !isFit([...shownLines, clauses.slice(0, keptClauses).join(', ')]))
      keptClauses--;
    const shown = clauses.slice(0, keptClauses).join(', ');
    if (shownLines.length > 0 && !isFit([...shownLines, shown])) unsaid.push(part);
    else {
      shownLines.push(shown);
      if (keptClauses < clauses.length) unsaid.push(clauses.slice(keptClauses).join(', '));
    }
  }
  // A line that is too long for all that is cut where it is drawn.
  const shown = isFit(shownLines) ? broken(shownLines) : shownLines.slice(0, 1);
  return { lines: shown.map((text) => text.replace(/^· | ·$/g, '')), unsaid };
}

export function centredWithin(textWidth: number, panel: Rectangle, figureWidth: number): number {
  const [minX, maxX] = [margin + textWidth / 2, figureWidth - margin - textWidth / 2];
  return Math.min(maxX, Math.max(minX, panel.x + panel.width / 2));
}

export const arrowGutter = 26;

const arrowLength = 62;
const lineWidth = 1.5;

/** Two short arrows at the lower left: an embedding has directions, but no scale worth ticks. */
export function axisArrows(panel: Rectangle, { axes, yDown }: Pick<ScatterSpec, 'axes' | 'yDown'>): Mark[] {
  const x = panel.x - 4;
  const y = panel.y + panel.height + 4;
  const head = 4;
  const label = {
    kind: 'text',
    size: smallSize,
    style: 'regular',
    colour: softInk,
    anchor: 'start',
  } as const;
  return [
    {
      kind: 'rectangle',
      x: x - lineWidth / 2,
      y: y - lineWidth / 2,
      width: arrowLength,
      height: lineWidth,
      colour: inkColour,
    },
    {
      kind: 'rectangle',
      x: x - lineWidth / 2,
      y: y - arrowLength,
      width: lineWidth,
      // The head of an arrow downwards stays clear of the other arrow.
      height: yDown ? arrowLength - 12 : arrowLength,
      colour: inkColour,
    },
    {
      kind: 'triangle',
      corners: [x + arrowLength + 7, y, x + arrowLength - 2, y - head, x + arrowLength - 2, y + head],
      colour: inkColour,
    },
    {
      kind: 'triangle',
      corners: yDown
        ? [x, y - 5, x - head, y - 14, x + head, y - 14]
        : [x, y - arrowLength - 7, x - head, y - arrowLength + 2, x + head, y - arrowLength + 2],
      colour: inkColour,
    },
    { ...label, text: axes[0], x, y: y + 18 },
    { ...label, text: axes[1], x: x - 9, y, upright: true },
  ];
}

const minPanel = { width: 300, height: 170 } as const;

export function isTiny({ fitted, size }: Pick<ScatterSpec, 'fitted' | 'size'>): boolean {
  return fitted !== undefined && (size.width < minPanel.width || size.height < minPanel.height);
}

export function fittedPanel(
  spec: Pick<ScatterSpec, 'fitted' | 'noteLines' | 'size'>,
  beside: number,
): Rectangle {
  const { width, height } = spec.size;
  if (isTiny(spec)) return { x: 4, y: 4, width: width - 8, height: height - 8 };
  const top = panelTop(spec);
  return {
    x: margin + arrowGutter,
    y: top,
    width: width - 2 * margin - arrowGutter - beside,
    height: height - top - margin - arrowGutter,
  };
}
