import { Button } from '@/components/ui/button.tsx';

/** Shown when the settings of the server cannot be read: nothing else can work without them. */
export function StartFailed() {
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6"
    >
      <h1 className="text-xl font-semibold">Cellfolio could not start</h1>
      <p className="text-muted">
        The server did not give its settings. It may be starting or stopped; nothing on this device was
        changed.
      </p>
      <Button onClick={() => location.reload()}>Try again</Button>
    </main>
  );
}
