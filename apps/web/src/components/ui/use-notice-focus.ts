import { useEffect, useRef } from 'react';

const list = '[data-sonner-toaster]';
const inList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(list) !== null;

/**
 * Lets Tab pass through the notices. Their library sends the focus back where it came from whenever it leaves them,
 * which is a loop under Tab: it is not told that the focus came. Where a notice goes that holds the focus, it goes back.
 * @param shown How many notices are there.
 */
export function useNoticeFocus(shown: number): void {
  const cameFrom = useRef<HTMLElement | null>(null);
  useEffect(() => {
    // On the window, so before the library hears of it.
    const arrive = (event: FocusEvent) => {
      if (!inList(event.target)) return;
      event.stopImmediatePropagation();
      const { relatedTarget } = event;
      if (!inList(relatedTarget))
        cameFrom.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
    };
    window.addEventListener('focusin', arrive, true);
    return () => window.removeEventListener('focusin', arrive, true);
  }, []);
  const before = useRef(shown);
  useEffect(() => {
    const gone = shown < before.current;
    before.current = shown;
    if (gone && document.activeElement === document.body) cameFrom.current?.focus({ preventScroll: true });
    if (!inList(document.activeElement)) cameFrom.current = null;
  }, [shown]);
}
