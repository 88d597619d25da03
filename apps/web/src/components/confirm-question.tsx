import type { ReactNode } from 'react';
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
} from './ui/alert-dialog.tsx';

interface ConfirmQuestionProps {
  open: boolean;
  title: string;
  /** What the answer changes. */
  children: ReactNode;
  action: string;
  onAction: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmQuestion({ open, title, children, action, onAction, onClose }: ConfirmQuestionProps) {
  return (
    <AlertDialog open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialogContent>
        <AlertDialogTitle className="wrap-anywhere">{title}</AlertDialogTitle>
        <AlertDialogDescription className="wrap-anywhere">{children}</AlertDialogDescription>
        <AlertDialogFooter>
          <AlertDialogCancel>Cancel</AlertDialogCancel>
          <AlertDialogAction destructive onClick={onAction}>
            {action}
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
