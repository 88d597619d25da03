import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { Button } from '@/components/ui/button.tsx';

/** The outermost error boundary: the code of a page did not load, or it failed outside its regions. */
export function RouteFailed() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6"
    >
      <h1 className="text-xl font-semibold">This page could not be shown</h1>
      <p className="text-muted">
        It may have been updated while it was open, or the connection was lost. Reloading it usually helps.
      </p>
      <div className="flex gap-2">
        <Button onClick={() => location.reload()}>Refresh Page</Button>
        <Button variant="secondary" asChild>
          <a href="/">Return to Home</a>
        </Button>
      </div>
    </main>
  );
}
