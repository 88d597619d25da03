import type { ScatterSpec } from '../figure.ts';
import { ARROW_GUTTER } from './axis-arrows.ts';
import { panelTop } from './heading.ts';
import type { Rectangle } from './scene.ts';
import { MARGIN } from './typography.ts';

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
