import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/skeleton.tsx';
import { Failure } from '@/features/auth/index.ts';

interface ListStatesProps {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching' | 'refetch'>;
  /** 'API keys', in sentences. */
  what: string;
}

/** A list of this page while it loads, and when it could not be loaded. */
export function ListStates({ query, what }: ListStatesProps) {
  if (!query.isError) {
    return (
      <div role="status" aria-label={`Loading ${what}`}>
        <Skeleton className="h-10" />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Failure>
        Your {what} could not be loaded: {query.error?.message}
      </Failure>
      <Button variant="secondary" size="sm" disabled={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}
