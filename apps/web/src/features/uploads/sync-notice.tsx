import type { OwnFiles } from '@cellfolio/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { failureWords } from './jobs/failure-words.ts';
import { ApiUnreachable } from '@/lib/api-errors.ts';

/** One line under the title: what happens with files, or that it cannot be seen just now. Its place is always taken. */
export function SyncNotice({ query }: { query: UseQueryResult<OwnFiles> }) {
  return (
    <div
      role="status"
      className="text-muted flex min-h-7 flex-wrap items-center gap-x-2 text-xs leading-5 [&>svg]:size-3.5"
    >
      {query.isError ? (
        <>
          <CloudOff aria-hidden className="text-warning shrink-0" />
          <span className="text-warning min-w-0 wrap-anywhere">{noticeText(query)}</span>
          <Button
            variant="secondary"
            size="xs"
            disabled={query.isFetching}
            onClick={() => void query.refetch()}
          >
            Try again
          </Button>
        </>
      ) : (
        'Each file is inspected when it has arrived; a dataset is made of each AnnData file. Raw counts wait for your review.'
      )}
    </div>
  );
}

function noticeText({ data, error }: UseQueryResult<OwnFiles>): string {
  if (!(error instanceof ApiUnreachable)) return failureWords(error);
  return data === undefined
    ? 'The server does not answer, so what is known of these files cannot be shown.'
    : 'The server does not answer. What is shown is the last that was known.';
}
