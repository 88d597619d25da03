import { CircleAlert, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { CallFailed, reasonOf } from '@/lib/api-errors.ts';
import { remedyOf } from '@/lib/call-failure.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

interface PlotFailureAlertProps {
  error: Error | null;
  keptNote: string;
  onRetry: () => void;
  /** Reopens the dataset on the server; resolves to whether that worked, once the page shows the reopened dataset. */
  onReload: () => Promise<boolean>;
}

export function CallFailureAlert({ error, keptNote, onRetry, onReload }: PlotFailureAlertProps) {
  const [reloading, setReloading] = useState(false);
  // The request of the render that shows what was reloaded: an earlier one is of the version before.
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  });
  if (error === null || isCancelled(error)) return null;
  const remedy = remedyOf(error);
  const reload = async () => {
    setReloading(true);
    try {
      if (await onReload()) retry.current();
    } finally {
      setReloading(false);
    }
  };
  return (
    <Alert variant="danger" role="alert">
      <CircleAlert aria-hidden />
      <span className="flex min-w-0 flex-col items-start gap-2">
        <span className="max-w-full wrap-anywhere">
          {error.message}
          {remedy === 'sign-in' && (
            <span className="block">
              Your session has ended. Sign in again in another tab, then try again here.
            </span>
          )}
          <span className="block">{keptNote}</span>
        </span>
        {remedy === 'reload-dataset' ? (
          <Button variant="secondary" size="xs" disabled={reloading} onClick={() => void reload()}>
            {reloading ? <Spinner /> : <RotateCw aria-hidden />}
            Reload dataset and try again
          </Button>
        ) : (
          remedy !== 'change' && (
            <span className="flex flex-wrap gap-2">
              <Button variant="secondary" size="xs" onClick={onRetry}>
                Try again
              </Button>
              {remedy === 'sign-in' && (
                <Button variant="secondary" size="xs" asChild>
                  <a href="/auth" target="_blank" rel="noreferrer">
                    Sign in
                  </a>
                </Button>
              )}
            </span>
          )
        )}
      </span>
    </Alert>
  );
}

export function FailureNotice({ text, error }: { text: string; error: unknown }) {
  const reason = error instanceof CallFailed ? error.reason : error instanceof Error ? reasonOf(error) : '';
  return (
    <>
      <span className="block">{text}</span> {reason !== '' && <span className="block text-xs">{reason}</span>}
    </>
  );
}
