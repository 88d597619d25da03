import { AppHeader } from '@/components/app-header.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';

/** The explorer's own shape while a dataset opens, under an overlay that says which. */
export function ExplorerSkeleton({ disease, dataset }: { disease: string; dataset: string }) {
  return (
    <div className="flex h-dvh flex-col">
      <title>{`${dataset} · Cellfolio`}</title>
      <AppHeader />
      <main id="content" tabIndex={-1} className="relative flex min-h-0 flex-1 gap-3 p-3 outline-none">
        <div className="flex w-80 flex-col gap-3 xl:w-92">
          <Skeleton className="bg-surface-2 h-96" />
          <Skeleton className="bg-surface-2 h-44" />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <Skeleton className="bg-surface-2 flex-1" />
          <Skeleton className="bg-surface-2 h-36" />
        </div>
        <div className="absolute inset-0 flex items-center justify-center">
          <div
            role="status"
            className="bg-surface flex max-w-md flex-col items-center gap-1 rounded-lg border px-8 py-6 text-center shadow-lg"
          >
            <Spinner className="text-accent mb-2 size-6" />
            <h1 className="font-semibold">Loading Dataset</h1>
            {disease !== '' && <p>{disease}</p>}
            <p className="text-muted break-all">{dataset}</p>
          </div>
        </div>
      </main>
    </div>
  );
}
