import { useEffect, useState } from 'react';

/**
 * What notices do with the pointer.
 *
 * - `through`: clicks reach what lies beneath them; only their own buttons take one.
 * - `held`: the pointer rests on a notice with nothing to click beneath, or on one of its buttons. It stays
 *   while it is read, and can be scrolled, selected and swiped away.
 * - `aside`: the pointer came for a control beneath a notice, which fades to show it.
 */
export type NoticePointer = 'through' | 'held' | 'aside';

const notice = '[data-sonner-toast]';
/** What a click could have been meant for. */
const control = [
  'a[href], button, input, select, textarea, label, summary, [draggable="true"], [tabindex="0"]',
  ...['button', 'checkbox', 'combobox', 'link', 'menuitem', 'option', 'radio', 'slider', 'switch', 'tab'].map(
    (role) => `[role="${role}"]`,
  ),
].join(', ');

const covers = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

/**
 * Follows a mouse or pen over the notices. Notices let every click through from the start and take the pointer
 * only where nothing beneath wants it: a touch comes without a move before it, and must not hit the card.
 * @param shown The notices that are there; a new one is never faded before the pointer has left it once.
 */
export function useNoticePointer(shown: readonly unknown[]): NoticePointer {
  const [pointer, setPointer] = useState<NoticePointer>('through');
  useEffect(() => {
    if (shown.length === 0) return undefined;
    let cameFromOutside = false;
    const follow = ({ buttons, clientX, clientY, pointerType, target }: PointerEvent) => {
      // A drag goes on over notices as over the page.
      if (pointerType === 'touch' || buttons !== 0) return;
      if (target instanceof Element && target.closest(`${notice} button`) !== null) {
        setPointer('held');
        return;
      }
      const cards = [...document.querySelectorAll(notice)];
      if (!cards.some((card) => covers(card.getBoundingClientRect(), clientX, clientY))) {
        cameFromOutside = true;
        setPointer('through');
        return;
      }
      const beneath = document
        .elementsFromPoint(clientX, clientY)
        .find((element) => element.closest('[data-sonner-toaster]') === null);
      if ((beneath?.closest(control) ?? null) === null) setPointer('held');
      else setPointer(cameFromOutside ? 'aside' : 'through');
    };
    document.addEventListener('pointermove', follow, { passive: true });
    return () => {
      document.removeEventListener('pointermove', follow);
      setPointer('through');
    };
  }, [shown]);
  return pointer;
}
