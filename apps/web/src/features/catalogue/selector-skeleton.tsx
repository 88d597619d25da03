import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { cn } from '@/lib/cn.ts';
import { useHydrated } from '@/lib/use-browser.ts';
import type { Layout } from './dataset-list.tsx';

export function SelectorSkeleton({ layout }: { layout: Layout }) {
  const stepped = layout === 'steps';
  // Rendered beforehand the layout is not known but by the width, which the style sheet knows (use-layout.ts).
  const unknown = !useHydrated();
  return (
    <>
      {(stepped || unknown) && (
        <Skeleton
          className={cn('bg-surface-2 mb-4 h-8.5 w-80 max-w-full', unknown && 'min-[68.75rem]:hidden')}
        />
      )}
      <Skeleton className="bg-surface-2 mb-4 h-8" />
      <div
        className={cn(
          'grid items-start gap-4 md:grid-cols-2',
          unknown && 'min-[68.75rem]:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]',
          !unknown && !stepped && 'lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]',
        )}
      >
        <Card aria-labelledby="browse-by-disease" aria-busy>
          <CardHeader>
            <CardTitle id="browse-by-disease">
              {stepped ? 'Step 1: Browse by Disease' : 'Browse by Disease'}
            </CardTitle>
          </CardHeader>
          <CardContent className="flex flex-col gap-3">
            <p role="status" className="text-muted flex items-center gap-2">
              <Spinner />
              Loading diseases...
            </p>
            {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'].map((width) => (
              <Skeleton key={width} className={cn('bg-surface-2 my-1.5 h-6', width)} />
            ))}
          </CardContent>
        </Card>
        <Skeleton className="bg-surface-2 h-40 max-md:hidden" />
        {!stepped && (
          <Skeleton
            className={cn('bg-surface-2 h-64', unknown ? 'max-[68.75rem]:hidden' : 'max-lg:hidden')}
          />
        )}
      </div>
    </>
  );
}
