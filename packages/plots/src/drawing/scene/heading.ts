import type { CommonSpec } from '../figure.ts';
import type { FontStyle } from '../text/font-files.ts';
import { ellipsised } from '../text/fit-text.ts';
import type { TextMark } from './scene.ts';
import { INK, SOFT_INK } from './inks.ts';
import { MARGIN, PANEL_TOP, SMALL_SIZE, TEXT_SIZE, TITLE_LINES, TITLE_SIZE } from './typography.ts';

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
