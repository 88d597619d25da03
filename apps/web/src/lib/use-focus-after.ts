import { type RefObject, useEffect, useRef } from 'react';

/**
 * Ref of an element that takes the focus if a change of `shown` removed the control that had it. Nothing was shown while
 * it is empty.
 */
export function useFocusAfter(shown: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    const isReplaced = before.current !== '' && before.current !== shown;
    before.current = shown;
    if (isReplaced && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true });
  }, [shown]);
  return element;
}
