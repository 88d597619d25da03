import type { CommonSpec } from '../figure.ts';
import type { FontStyle } from '../text/font-files.ts';
import { ellipsised } from '../text/fit-text.ts';
import type { TextMark } from './scene.ts';
import { INK, MARGIN, SOFT_INK, TEXT_SIZE, TITLE_LINES, TITLE_SIZE } from './typography.ts';

/** Title, dataset and count of cells, each on one line. Symbols of genes are set in italics, as in print. */
export function heading(spec: CommonSpec, titleStyle: FontStyle): TextMark[] {
  const width = spec.size.width - 2 * MARGIN;
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
  return [
    line(spec.title, TITLE_LINES[0], TITLE_SIZE, titleStyle, INK),
    line(spec.datasetName, TITLE_LINES[1], TEXT_SIZE, 'regular', SOFT_INK),
    line(spec.summary, TITLE_LINES[2], TEXT_SIZE, 'regular', SOFT_INK),
  ].filter((mark) => mark.text !== '');
}
