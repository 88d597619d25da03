import { panelTop } from '../scene/heading.ts';
import { FIGURE_WIDTH, MARGIN } from '../scene/typography.ts';

/** Above the bars: the name of the threshold. */
export const THRESHOLD_TOP = 22;
/** Below the bars: numbers of the axis and what they are. */
export const FOOT = 48;
/** Terms that may take two lines each. */
const TALL_TERMS = 20;
export const TALL_ROW = 37;
const FLAT_ROW = 24;
/** Where the sentence of a figure without terms stands. */
const EMPTY_HEIGHT = 70;

export function termPitch(terms: number): number {
  return terms <= TALL_TERMS ? TALL_ROW : FLAT_ROW;
}

export function enrichmentBarSize(terms: number, subtitle: string): { width: number; height: number } {
  const top = panelTop({ subtitle });
  const height =
    terms === 0 ? top + EMPTY_HEIGHT : top + THRESHOLD_TOP + terms * termPitch(terms) + FOOT + MARGIN;
  return { width: FIGURE_WIDTH, height };
}
