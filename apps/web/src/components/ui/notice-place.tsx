import { useEffect, useState } from 'react';
import { cn } from '@/lib/cn.ts';

/**
 * Space for notices, reserved by the header and by each dialog, so that no notice covers what is read or clicked. It
 * takes up space only while a notice is shown.
 */
export function NoticePlace({ className }: { className?: string }) {
  return <div aria-hidden data-notice-place className={cn('h-11.5', className)} />;
}

/** In a dialog the space stays once it was taken: a dialog that shrinks would move its buttons away from the pointer. */
export function DialogNoticePlace() {
  const [isTaken, setTaken] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    const look = () => root.hasAttribute('data-notices') && setTaken(true);
    look();
    const changes = new MutationObserver(look);
    changes.observe(root, { attributeFilter: ['data-notices'] });
    return () => changes.disconnect();
  }, []);
  return <NoticePlace className={cn('shrink-0', !isTaken && 'hidden in-data-notices:block')} />;
}

/** Position of notices in the window, in CSS pixels. */
export interface Place {
  side: 'top' | 'bottom';
  offset: number;
  right: number;
  width: number;
}

const narrowest = 240;
const widest = 480;

/** Follows the position of notices while some are shown; `null` when the page has none, or one too narrow. */
export function useNoticePlace(anyShown: boolean): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    if (!anyShown) return undefined;
    const root = document.documentElement;
    root.toggleAttribute('data-notices', true);
    let frame = 0;
    const measure = () => {
      const now = placeNow();
      setPlace((before) => settled(before, now));
    };
    // Dialogs open and pages change below notices, which stay.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { childList: true, subtree: true });
    // The header makes room for the first one, after it is measured.
    const sizes = new ResizeObserver(soon);
    for (const element of document.querySelectorAll('[data-notice-place]')) sizes.observe(element);
    window.addEventListener('resize', soon);
    measure();
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      sizes.disconnect();
      window.removeEventListener('resize', soon);
      root.toggleAttribute('data-notices', false);
    };
  }, [anyShown]);
  return place;
}

/** Position in the topmost dialog, else in the header. */
function placeNow(): Place | null {
  const dialog = [...document.querySelectorAll('[data-dialog]')].at(-1);
  const element = (dialog ?? document).querySelector('[data-notice-place]');
  if (element === null) return null;
  const { top, bottom, right, width } = element.getBoundingClientRect();
  if (width < narrowest) return null;
  // Where a dialog scrolls as a whole, its place may be out of sight.
  const end = Math.min(bottom, dialog?.getBoundingClientRect().bottom ?? Infinity);
  return {
    side: dialog === undefined ? 'top' : 'bottom',
    // As if the page were not scrolled, or the header and its notices would be out of sight.
    offset: dialog === undefined ? top + window.scrollY : window.innerHeight - end,
    right: document.documentElement.clientWidth - right,
    width: Math.min(width, widest),
  };
}

/** Returns the same object when nothing has moved. */
function settled(before: Place | null, now: Place | null): Place | null {
  const isSame =
    before !== null &&
    now !== null &&
    before.side === now.side &&
    before.offset === now.offset &&
    before.right === now.right &&
    before.width === now.width;
  return isSame ? before : now;
}
