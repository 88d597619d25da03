import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/** Rows drawn beyond the visible ones, so that a quick scroll does not show a gap. */
const margin = 12;

interface Window {
  /** The first row that is drawn, and the one after the last. */
  start: number;
  end: number;
}

/** Which rows of a long list are near what its box shows; all rows are of one height. */
export function useWindowedRows(
  box: RefObject<HTMLElement | null>,
  rowCount: number,
  rowHeight: number,
): Window {
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () =>
      setSeen((current) =>
        current.top === element.scrollTop && current.height === element.clientHeight
          ? current
          : { top: element.scrollTop, height: element.clientHeight },
      );
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [box]);
  return windowOf(seen, rowCount, rowHeight);
}

export function windowOf(seen: { top: number; height: number }, rowCount: number, rowHeight: number): Window {
  const inSight = Math.ceil(seen.height / rowHeight);
  // A list that became shorter may still be scrolled down beyond its end.
  const first = Math.min(Math.floor(seen.top / rowHeight), Math.max(0, rowCount - inSight));
  return { start: Math.max(0, first - margin), end: Math.min(rowCount, first + inSight + margin) };
}
