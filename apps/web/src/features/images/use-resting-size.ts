import { useEffect, useState, type RefObject } from 'react';

/** Sizes of a figure are told apart in steps of so many CSS pixels, so that figures drawn for one fit another. */
const step = 16;
/** Milliseconds in which a size does not change any more before it counts. */
const rest = 200;

export interface Size {
  width: number;
  height: number;
}

/** CSS pixels of an element, rounded down, when it has come to rest; `null` before it was measured. */
export function useRestingSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = 0;
    const observer = new ResizeObserver((entries) => {
      const box = entries.at(-1)?.contentRect;
      if (box === undefined) return;
      const next = { width: rounded(box.width), height: rounded(box.height) };
      clearTimeout(timer);
      timer = setTimeout(
        () => setSize((now) => (now?.width === next.width && now.height === next.height ? now : next)),
        wait,
      );
      // What is measured first is where the element begins, not a change under way.
      wait = rest;
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element]);
  return size;
}

function rounded(length: number): number {
  return Math.floor(length / step) * step;
}
