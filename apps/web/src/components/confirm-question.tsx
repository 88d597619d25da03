import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './ui/button.tsx';
import { useFocusReturn } from './ui/dialog.tsx';

interface ConfirmQuestionProps {
  open: boolean;
  title: string;
  children: ReactNode;
  action: string;
  onAction: () => void;
  onClose: () => void;
}

export function ConfirmQuestion({ open, title, children, action, onAction, onClose }: ConfirmQuestionProps) {
  const focusReturn = useFocusReturn();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="bg-overlay data-[state=open]:animate-appear fixed inset-0 z-50" />
        <AlertDialog.Content
          className="bg-surface data-[state=open]:animate-appear fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-2 overflow-y-auto rounded-lg border p-6 shadow-lg"
          {...focusReturn}
        >
          <AlertDialog.Title className="text-base leading-6 font-semibold wrap-anywhere">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="text-muted text-sm wrap-anywhere">
            {children}
          </AlertDialog.Description>
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button variant="secondary" asChild>
              <AlertDialog.Cancel>Cancel</AlertDialog.Cancel>
            </Button>
            <Button variant="destructive" asChild>
              <AlertDialog.Action onClick={onAction}>{action}</AlertDialog.Action>
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
