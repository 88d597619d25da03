import type { RefObject } from 'react';
import { flushSync } from 'react-dom';

/** Returns a function that focuses a search box from anywhere on the page; `reveal` shows the box when it is hidden. */
export function useSearchFocus(box: RefObject<HTMLInputElement | null>, reveal: () => void): () => void {
  return () => {
    // A hidden box cannot be focused.
    flushSync(reveal);
    box.current?.focus();
    box.current?.select();
  };
}
