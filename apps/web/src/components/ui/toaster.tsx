import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import type { Theme } from '@/lib/theme.ts';

/** Notices, announced politely to screen readers. */
export function Toaster({ theme }: { theme: Theme }) {
  return (
    <Sonner
      theme={theme}
      // Where the explorer has room: the right side is figures down to its foot.
      position="bottom-left"
      closeButton
      offset={16}
      // Narrower than the panels beside the figures.
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
          closeButton: '!bg-surface !text-foreground !border-border',
        },
      }}
    />
  );
}
