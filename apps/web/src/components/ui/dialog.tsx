import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useRef } from 'react';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';
import { Button } from './button.tsx';
import { DialogNoticePlace } from './notice-place.tsx';

export const Dialog = Primitive.Root;
export const DialogClose = Primitive.Close;

export function DialogContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  const focusReturn = useFocusReturn();
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="bg-overlay data-[state=open]:animate-appear fixed inset-0 z-50" />
      <Primitive.Content
        // Notices stand in it (notice-place.tsx).
        data-dialog
        className={cn(
          'bg-surface data-[state=open]:animate-appear fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 flex-col gap-4 rounded-lg border p-6 shadow-lg',
          className,
        )}
        // A click on a notice, which stands in the dialog, is none outside it.
        onPointerDownOutside={(event) => {
          if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]') !== null)
            event.preventDefault();
        }}
        {...focusReturn}
        {...props}
      >
        {children}
        <DialogNoticePlace />
        <Primitive.Close asChild>
          <Button variant="ghost" size="icon-sm" className="absolute top-3 right-3" aria-label="Close">
            <X aria-hidden />
          </Button>
        </Primitive.Close>
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn('text-base leading-6 font-semibold', className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description className={cn('text-muted text-sm', className)} {...props} />;
}

/**
 * For the content of a dialog: restores the focus on closing, also without a trigger, where the primitive would drop
 * it.
 */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = buttonOfMenu(document.activeElement) ?? document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

/** An item opens a dialog before its menu closes, which removes it: the button of the menu stays. */
function buttonOfMenu(item: Element | null): Element | null {
  const button = item?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return button ? document.getElementById(button) : null;
}
