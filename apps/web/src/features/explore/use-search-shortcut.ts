import type { RefObject } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** The shortcut as written on Mac and other keyboards. */
export const searchShortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/**
 * Focuses a search box from anywhere on the page, by a shortcut and by the returned function. The shortcut has a
 * modifier: a bare letter would conflict with speech input. Inactive while a dialog is open, which traps the keyboard.
 * `reveal` shows the box when it is hidden.
 */
export function useSearchShortcut(box: RefObject<HTMLInputElement | null>, reveal: () => void): () => void {
  const bring = () => {
    // A hidden box cannot be focused.
    flushSync(reveal);
    box.current?.focus();
    box.current?.select();
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    if (event.altKey || event.shiftKey || document.querySelector('[role=dialog], [role=alertdialog]')) return;
    event.preventDefault();
    bring();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return bring;
}
