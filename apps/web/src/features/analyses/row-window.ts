import { type RefObject, useEffect, useState } from 'react';

/** In CSS pixels; all rows have the same height, so that only visible ones need to be rendered. */
export const rowHeight = 32;
/** Rows rendered above and below the visible ones. */
const around = 12;
/** Firefox draws nothing below 17.8 million pixels, Chrome below 33.5. */
const maxHeight = 16_000_000;

interface RowWindow {
  /** Indices among the table's visible rows: [from, to). */
  from: number;
  to: number;
  /** Pixels above and below the rendered rows. */
  before: number;
  after: number;
}

/**
 * The visible rows of a scrolling container. With more rows than the browser's maximum height, each pixel scrolls
 * further.
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [place, setPlace] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => {
      const { scrollTop: top, clientHeight: height } = element;
      // While it is hidden its rows stay, to which the focus returns.
      if (height > 0) setPlace({ top, height });
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  return rowWindow(count, place);
}

function rowWindow(count: number, { top, height }: { top: number; height: number }): RowWindow {
  const whole = count * rowHeight;
  const scrollHeight = Math.min(whole, maxHeight);
  const room = Math.max(1, scrollHeight - height);
  // As far through the rows as the bar is through its way.
  const start = scrollHeight === whole ? top : (Math.min(top, room) / room) * Math.max(0, whole - height);
  const first = Math.min(Math.floor(start / rowHeight), Math.max(0, count - 1));
  const from = Math.max(0, first - around);
  const to = Math.min(count, first + Math.ceil(height / rowHeight) + 1 + around);
  // The first row in sight stays where the box was scrolled to.
  const before = Math.max(0, top - (start - from * rowHeight));
  return { from, to, before, after: Math.max(0, scrollHeight - before - (to - from) * rowHeight) };
}

const headHeight = 36;

/** Scrolls a container so that a row is in its middle, unless it is in sight. */
export function scrollToRow(box: HTMLElement, index: number, count: number): void {
  const { scrollTop, clientHeight } = box;
  const top = index * rowHeight;
  const whole = count * rowHeight;
  const scrollHeight = Math.min(whole, maxHeight);
  const isAsHigh = scrollHeight === whole;
  if (isAsHigh && top >= scrollTop && top + rowHeight + headHeight <= scrollTop + clientHeight) return;
  const start = Math.max(0, top - (clientHeight - headHeight) / 2);
  const share = start / Math.max(1, whole - clientHeight);
  box.scrollTop = isAsHigh ? start : share * Math.max(1, scrollHeight - clientHeight);
}
