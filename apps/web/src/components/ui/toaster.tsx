import { useEffect, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { toast, Toaster as Sonner, useSonner } from 'sonner';
import { cn } from '@/lib/cn.ts';
import type { Theme } from '@/lib/theme.ts';
import { useNoticePlace } from './notice-place.tsx';

/**
 * Notices, announced politely to screen readers. They appear in the space reserved by the page (`notice-place.tsx`), in
 * two lines until hovered. The page stays usable: clicks pass through to it, except on a notice's own buttons, and
 * Escape closes them.
 */
export function Toaster({ theme }: { theme: Theme }) {
  const { toasts } = useSonner();
  const pointer = useNoticePointer(toasts);
  const place = useNoticePlace(toasts.length > 0);
  useNoticeEscape(toasts.length > 0);
  useNoticeFocus(toasts.length);
  return (
    <Sonner
      theme={theme}
      className={cn(
        // The list fades only where a control beneath it is looked for.
        '!transition-opacity !duration-150',
        pointer === 'aside' && 'opacity-15',
        // Beside a dialog nothing takes the pointer by itself.
        pointer === 'held'
          ? '[&_[data-sonner-toast]]:pointer-events-auto'
          : '[&_[data-sonner-toast]]:!pointer-events-none',
        // Not the hidden buttons of notices further down the stack.
        '[&_[data-front=true][data-removed=false]_button]:!pointer-events-auto',
        '[&_[data-expanded=true][data-visible=true]_button]:!pointer-events-auto',
        place !== null && inPlace,
      )}
      position={place?.side === 'bottom' ? 'bottom-right' : 'top-right'}
      closeButton
      // Elsewhere left of the buttons at the right end of what comes first on a page.
      offset={place === null ? { top: 60, right: 116 } : { [place.side]: place.offset, right: place.right }}
      style={
        {
          '--width': place === null ? 'clamp(296px, 100vw - 1040px, 400px)' : `${place.width}px`,
        } as CSSProperties
      }
      toastOptions={{
        duration: 6000,
        classNames: {
          toast: cn(
            '!bg-surface !text-foreground !border-border !font-sans !shadow-lg',
            place !== null && '!min-h-11.5 !px-4 !py-1 !leading-4.5',
          ),
          // Three notices of any length fit on a small screen.
          description: '!text-muted max-h-[20dvh] overflow-y-auto wrap-anywhere',
          error: '!border-danger [&_[data-icon]]:!text-danger',
          success: '[&_[data-icon]]:!text-success',
          warning: '[&_[data-icon]]:!text-warning',
          // A small icon with a target of 36 px, for touch.
          closeButton:
            '!bg-surface !text-foreground !border-border !size-6 before:absolute before:-inset-2 before:content-[""]',
        },
      }}
    />
  );
}

/**
 * Fits the reserved height: only the newest notice, with title and description in two lines. While hovered or focused,
 * all notices are shown in full, below each other.
 */
const inPlace = cn(
  '[&_[data-expanded=false]_[data-content]]:!line-clamp-2',
  // The window ends above it.
  '[&_[data-close-button]]:!top-1/2 [&_[data-close-button]]:![transform:translate(-50%,-50%)]',
  '[&_[data-expanded=false]_[data-content]>*]:!inline [&_[data-expanded=false]_[data-title]]:!mr-1.5',
  // A line break before the cause would cut it off.
  '[&_[data-expanded=false]_[data-description]>*]:!inline',
  '[&_[data-expanded=false][data-front=false]]:!opacity-0',
  '[&_[data-expanded=true]]:!relative [&_[data-expanded=true]]:!mb-2 [&_[data-expanded=true]]:!h-auto',
  '[&_[data-expanded=true]]:!transform-none',
);

const list = '[data-sonner-toaster]';
const inList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(list) !== null;

/**
 * Lets Tab pass through the notices. Their library restores the focus whenever it leaves them, which traps Tab, so the
 * focus event is hidden from it. When a focused notice closes, the focus is restored. `shown` is the number of notices.
 */
function useNoticeFocus(shown: number): void {
  const cameFrom = useRef<HTMLElement | null>(null);
  useEffect(() => {
    // On the window, to run before the library's listener.
    const onFocus = (event: FocusEvent) => {
      if (!inList(event.target)) return;
      event.stopImmediatePropagation();
      const { relatedTarget } = event;
      if (!inList(relatedTarget))
        cameFrom.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
    };
    window.addEventListener('focusin', onFocus, true);
    return () => window.removeEventListener('focusin', onFocus, true);
  }, []);
  const before = useRef(shown);
  useEffect(() => {
    const wasDismissed = shown < before.current;
    before.current = shown;
    if (wasDismissed && document.activeElement === document.body)
      cameFrom.current?.focus({ preventScroll: true });
    if (!inList(document.activeElement)) cameFrom.current = null;
  }, [shown]);
}

/**
 * Pointer behaviour of notices. - `through`: clicks reach the elements beneath; only the notices' own buttons take
 * them. - `held`: the pointer rests on a notice with nothing clickable beneath, or on one of its buttons. It stays
 * while it is read, and can be scrolled, selected and swiped away. - `aside`: the pointer targets a control beneath a
 * notice, which fades to show it.
 */
type NoticePointer = 'through' | 'held' | 'aside';

const notice = '[data-sonner-toast]';
const control = [
  'a[href], button, input, select, textarea, label, summary, [draggable="true"], [tabindex="0"]',
  ...['button', 'checkbox', 'combobox', 'link', 'menuitem', 'option', 'radio', 'slider', 'switch', 'tab'].map(
    (role) => `[role="${role}"]`,
  ),
].join(', ');

const covers = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

/**
 * Follows a mouse or pen over the notices. Notices let every click through at first and take the pointer only where
 * nothing beneath needs it: a touch has no preceding move, and must not hit the card. `shown` holds the notices; a new
 * one fades only after the pointer has left it once.
 */
function useNoticePointer(shown: readonly unknown[]): NoticePointer {
  const [pointer, setPointer] = useState<NoticePointer>('through');
  useEffect(() => {
    if (shown.length === 0) return undefined;
    let cameFromOutside = false;
    const follow = ({ buttons, clientX, clientY, pointerType, target }: PointerEvent) => {
      // A drag continues over notices.
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

function useNoticeEscape(anyShown: boolean): void {
  useEffect(() => {
    if (!anyShown) return undefined;
    // On the window: dialogs and menus answer on the document, and prevent what else the key would do.
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      const { target } = event;
      if (target instanceof Element && target.closest('[aria-expanded="true"]') !== null) return;
      toast.dismiss();
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [anyShown]);
}
