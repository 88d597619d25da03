import { Spinner } from '@/components/ui/spinner.tsx';

export function PageLoading() {
  return (
    <div
      role="status"
      className="text-muted animate-appear-late flex min-h-dvh items-center justify-center gap-2"
    >
      <Spinner />
      Loading...
    </div>
  );
}
