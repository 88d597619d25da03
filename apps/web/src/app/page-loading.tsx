import { Spinner } from '@/components/ui/spinner.tsx';

export function PageLoading() {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <p role="status" className="text-muted animate-appear-late flex items-center gap-2">
        <Spinner />
        Loading...
      </p>
    </main>
  );
}
