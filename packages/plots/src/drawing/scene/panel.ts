import type { CommonSpec, ScatterSpec } from '../figure.ts';
import type { FontStyle } from '../text/svg-text.ts';
import { ellipsised } from '../text/fit-text.ts';
import type { TextMark, Mark, Rectangle } from './scene.ts';
import { INK, SOFT_INK, MARGIN, PANEL_TOP, SMALL_SIZE, TEXT_SIZE, TITLE_LINES, TITLE_SIZE } from './style.ts';

type Headed = Pick<CommonSpec, 'title' | 'datasetName' | 'summary' | 'size' | 'fitted'> & {
  readonly subtitle?: string;
};

/** Where the panel begins: lower where a subtitle stands between title and dataset, high up without a title. */
export function panelTop({ subtitle, fitted }: Pick<Headed, 'subtitle' | 'fitted'>): number {
  if (fitted !== undefined) return NOTE_LINE + 12;
  return PANEL_TOP + (subtitle ? SUBTITLE_LINE : 0);
}

/** Baseline of the one line above a figure whose title stands elsewhere. */
const NOTE_LINE = 20;

const SUBTITLE_LINE = 20;

/**
 * Title, subtitle if there is one, dataset and count of cells, each on one line; where the page names the figure,
 * one line of what else there is to say. Symbols of genes are set in italics, as in print.
 */
export function heading(spec: Headed, titleStyle: FontStyle): TextMark[] {
  const width = spec.size.width - 2 * MARGIN;
  const { fitted, subtitle = '', summary } = spec;
  const note = [fitted?.leftOut, subtitle, summary].filter(Boolean).join(' · ');
  const shift = panelTop(spec) - PANEL_TOP;
  const line = (text: string, y: number, size: number, style: FontStyle, colour: string): TextMark => {
    const shown = ellipsised(text, width, size, style);
    return {
      kind: 'text',
      text: shown,
      ...(shown !== text && { full: text }),
      x: MARGIN,
      y,
      size,
      style,
      colour,
      anchor: 'start',
    };
  };
  if (fitted !== undefined)
    return note === '' ? [] : [line(note, NOTE_LINE, SMALL_SIZE, 'regular', SOFT_INK)];
  return [
    line(spec.title, TITLE_LINES[0], TITLE_SIZE, titleStyle, INK),
    line(subtitle, TITLE_LINES[1], TEXT_SIZE, 'regular', INK),
    line(spec.datasetName, TITLE_LINES[1] + shift, TEXT_SIZE, 'regular', SOFT_INK),
    line(summary, TITLE_LINES[2] + shift, TEXT_SIZE, 'regular', SOFT_INK),
  ].filter((mark) => mark.text !== '');
}

/** Space left and below the panel that the arrows and their names take. */
export const ARROW_GUTTER = 26;

const LENGTH = 62;
const LINE = 1.5;

/** Two short arrows at the lower left: an embedding has directions, but no scale worth ticks. */
export function axisArrows(panel: Rectangle, names: readonly [string, string]): Mark[] {
  const x = panel.x - 4;
  const y = panel.y + panel.height + 4;
  const head = 4;
  const label = {
    kind: 'text',
    size: SMALL_SIZE,
    style: 'regular',
    colour: SOFT_INK,
    anchor: 'start',
  } as const;
  return [
    { kind: 'rectangle', x: x - LINE / 2, y: y - LINE / 2, width: LENGTH, height: LINE, colour: INK },
    { kind: 'rectangle', x: x - LINE / 2, y: y - LENGTH, width: LINE, height: LENGTH, colour: INK },
    {
      kind: 'triangle',
      corners: [x + LENGTH + 7, y, x + LENGTH - 2, y - head, x + LENGTH - 2, y + head],
      colour: INK,
    },
    {
      kind: 'triangle',
      corners: [x, y - LENGTH - 7, x - head, y - LENGTH + 2, x + head, y - LENGTH + 2],
      colour: INK,
    },
    { ...label, text: names[0], x, y: y + 18 },
    { ...label, text: names[1], x: x - 9, y, upright: true },
  ];
}

/** Smaller than this a map has no room for arrows, legend or words: its cells are all there is. */
const LEAST = { width: 300, height: 170 } as const;

export function isTiny({ fitted, size }: Pick<ScatterSpec, 'fitted' | 'size'>): boolean {
  return fitted !== undefined && (size.width < LEAST.width || size.height < LEAST.height);
}

/** The map of a fitted figure that leaves `beside` to what stands right of it. */
export function fittedPanel(spec: Pick<ScatterSpec, 'fitted' | 'size'>, beside: number): Rectangle {
  const { width, height } = spec.size;
  if (isTiny(spec)) return { x: 4, y: 4, width: width - 8, height: height - 8 };
  const top = panelTop(spec);
  return {
    x: MARGIN + ARROW_GUTTER,
    y: top,
    width: width - 2 * MARGIN - ARROW_GUTTER - beside,
    height: height - top - MARGIN - ARROW_GUTTER,
  };
}
