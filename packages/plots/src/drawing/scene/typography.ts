/**
 * Sizes in CSS pixels. A figure of 600 px set at 89 mm, one column of a journal, is reduced to 0.42 pt a
 * pixel: 14.5 px is then 6.1 pt, the least that may be printed, and so the least used here.
 */
export const TITLE_SIZE = 23;
export const TEXT_SIZE = 15;
export const SMALL_SIZE = 14.5;

/** Space kept clear on every side. */
export const MARGIN = 16;
/** Baselines of the title, the dataset and the count of cells. */
export const TITLE_LINES = [35, 58, 78] as const;
/** Where the panel begins. */
export const PANEL_TOP = 92;
/** Width of every figure. */
export const FIGURE_WIDTH = 600;
