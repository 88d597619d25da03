import type { Neighbours } from '@cellfolio/analysis';
import { countText, type GraphOrigin, quotedHead } from '@cellfolio/model';
import { componentsKey } from './tasks.ts';

export interface GraphSource {
  of: 'file' | 'computed';
  nearest: number;
  /** How they were computed, as words that follow the noun. */
  how: string;
}

const maxText = 60;

export function fileSource(
  { metric, representation, components }: GraphOrigin,
  { starts, indices }: Neighbours,
): GraphSource {
  const by = metric === undefined ? '' : ` by the distance ${quotedHead(metric, maxText)}`;
  const dimensions = components === undefined ? '' : `, ${countText(components)} dimensions`;
  const place = representation === undefined ? '' : ` in ${quotedHead(representation, maxText)}${dimensions}`;
  return {
    of: 'file',
    nearest: indices.length / (starts.length - 1),
    how: `${by}${place}` || ', as the file has them',
  };
}

/** `reason` says why the graph of the file was not used. */
export function computedSource(
  { k }: Pick<Neighbours, 'k'>,
  dimensions: number,
  reason: string | undefined,
): GraphSource {
  const instead = reason === undefined ? '' : ` (${reason})`;
  return {
    of: 'computed',
    nearest: k,
    how: ` by Euclidean distance in ${dimensions} principal components (${componentsKey})${instead}`,
  };
}

/**
 * The graph that was used, in words that begin a sentence; `itself`: each cell counts among its neighbours, as in
 * scanpy.
 */
export function graphWords({ of, nearest, how }: GraphSource, itself: boolean): string {
  const count = nearest + (itself ? 1 : 0);
  const number = Number.isInteger(count) ? countText(count) : `on average ${count.toFixed(1)}`;
  const cells = itself ? 'nearest cells of each, itself among them,' : 'nearest other cells of each';
  const words = `${of === 'file' ? 'neighbors of the file' : 'neighbors computed here'}: ${number} ${cells}${how}`;
  return words.replace(',,', ',');
}
