import type { UseQueryResult } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';

export function FilesFailed({ query }: { query: Pick<UseQueryResult, 'isFetching' | 'refetch'> }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <Alert variant="danger" role="alert">
        Failed to fetch your files
      </Alert>
      <Button variant="secondary" size="sm" disabled={query.isFetching} onClick={() => void query.refetch()}>
        <RotateCcw aria-hidden />
        Try again
      </Button>
    </div>
  );
}
