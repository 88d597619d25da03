import type { ByteRange } from '../object-store.ts';

/** Bytes that are kept together in one file of the cache. */
export const blockBytes = 256 * 1024;
/** A range no longer than that is kept by itself: the index of a shard is at its end, and nobody wants what is before it. */
export const smallRange = 16 * 1024;

/** A part of an object that is kept as one. The last one of an object is shorter than its length. */
export type Span = ByteRange;

/** The spans that hold a range, side by side. */
export function spansOf(range: ByteRange): Span[] {
  if (range.length > smallRange) return blocksOf(range);
  return range.length === 0 ? [] : [range];
}

/** The blocks that hold a range, side by side. */
export function blocksOf({ offset, length }: ByteRange): Span[] {
  const spans: Span[] = [];
  for (let at = offset - (offset % blockBytes); at < offset + length; at += blockBytes) {
    spans.push({ offset: at, length: blockBytes });
  }
  return spans;
}

/** Which part of a span a range wants. */
export function partOf({ offset, length }: ByteRange, span: Span): { from: number; to: number } {
  return {
    from: Math.max(offset - span.offset, 0),
    to: Math.min(offset + length - span.offset, span.length),
  };
}

/** The range that spans side by side make together. */
export function rangeOf(spans: readonly Span[]): ByteRange {
  const first = spans[0]!;
  const last = spans.at(-1)!;
  return { offset: first.offset, length: last.offset + last.length - first.offset };
}
