import type { CSSProperties } from 'react';
import { useSyncExternalStore } from 'react';
import { Toaster as Sonner, useSonner } from 'sonner';
import { cn } from '@/lib/cn.ts';
import type { Theme } from '@/lib/theme.ts';
import { useNoticeFocus } from './use-notice-focus.ts';
import { useNoticePointer } from './use-notice-pointer.ts';
import { useNoticeEscape } from './use-notice-escape.ts';

/**
 * Notices, announced politely to screen readers. A page goes on under them: clicks go through to it, except on
 * a notice's own buttons, and Escape takes them away.
 */
export function Toaster({ theme }: { theme: Theme }) {
  const { toasts } = useSonner();
  const pointer = useNoticePointer(toasts);
  const overDialog = useSyncExternalStore(followPortals, isDialogOpen, () => false);
  useNoticeEscape(toasts.length > 0);
  useNoticeFocus(toasts.length);
  return (
    <Sonner
      theme={theme}
      className={cn(
        // The list fades only where a control beneath it is looked for.
        '!transition-opacity !duration-150',
        pointer === 'aside' && 'opacity-15',
        pointer !== 'held' && '[&_[data-sonner-toast]]:!pointer-events-none',
        // Not the buttons of notices further down the pile: nobody sees them.
        '[&_[data-front=true][data-removed=false]_button]:!pointer-events-auto',
        '[&_[data-expanded=true][data-visible=true]_button]:!pointer-events-auto',
      )}
      // Below the header, and left of the buttons at the right end of what comes first on a page. A dialog has its
      // buttons and warnings at the top, and at its bottom what is read.
      position={overDialog ? 'bottom-center' : 'top-right'}
      closeButton
      offset={overDialog ? { bottom: 28 } : { top: 60, right: 116 }}
      style={{ '--width': '296px' } as CSSProperties}
      toastOptions={{
        duration: 6000,
        classNames: {
          toast: '!bg-surface !text-foreground !border-border !shadow-lg !font-sans',
          // However much a notice says, three of them fit on a small screen.
          description: '!text-muted max-h-[20dvh] overflow-y-auto wrap-anywhere',
          error: '!border-danger [&_[data-icon]]:!text-danger',
          success: '[&_[data-icon]]:!text-success',
          warning: '[&_[data-icon]]:!text-warning',
          // The mark is small, what it takes is not: 36 px around it, for fingers too.
          closeButton:
            '!bg-surface !text-foreground !border-border !size-6 before:absolute before:-inset-2 before:content-[""]',
        },
      }}
    />
  );
}

/** Dialogs stand in portals, children of the body. */
function followPortals(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

const isDialogOpen = () => document.querySelector('[data-dialog]') !== null;
