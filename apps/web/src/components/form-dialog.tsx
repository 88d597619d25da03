import type { ReactNode } from 'react';
import { Alert } from './ui/alert.tsx';
import { Button } from './ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from './ui/dialog.tsx';
import { focusError } from './ui/form.tsx';
import { Spinner } from './ui/spinner.tsx';
import { cn } from '@/lib/cn.ts';

interface FormDialogProps {
  title: string;
  description: ReactNode;
  className: string;
  children: ReactNode;
  alerts?: ReactNode;
  failure?: string | undefined;
  note: string;
  buttons?: ReactNode;
  submit: { text: string; ready: boolean; pending: boolean };
  onSubmit: () => void;
  onClose: () => void;
}

/**
 * A form whose title and buttons stay fixed while its content scrolls. It is not submitted while a field has an error.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, description, className, children, alerts, failure, note, buttons, submit } = props;
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent className={cn('max-w-2xl gap-0 p-0', className)}>
        <header className="flex flex-col gap-1 border-b px-6 pt-5 pr-12 pb-4">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription className="text-[13px]">{description}</DialogDescription>
        </header>
        <form
          noValidate
          className="flex min-h-0 flex-col"
          onSubmit={(event) => {
            event.preventDefault();
            if (!focusError(event.currentTarget) && submit.ready) props.onSubmit();
          }}
        >
          <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-6 py-4">{children}</div>
          <footer className="flex flex-col gap-3 border-t px-6 py-4">
            {alerts}
            {failure !== undefined && (
              <Alert variant="danger" role="alert">
                <span className="wrap-anywhere">{failure}</span>
              </Alert>
            )}
            <div className="flex flex-wrap items-center justify-end gap-2">
              <p role="status" className="text-muted mr-auto min-w-40 flex-1 text-xs">
                {note}
              </p>
              {buttons}
              <Button type="submit" size="sm" disabled={!submit.ready}>
                {submit.pending && <Spinner />}
                {submit.text}
              </Button>
            </div>
          </footer>
        </form>
      </DialogContent>
    </Dialog>
  );
}
