import { fileSize, roundFileSize } from '@cellfolio/contract';
import type { OwnFiles } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff, FolderOpen } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { EmptyState, Skeleton } from '@/components/ui/placeholders.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { ApiUnreachable } from '@/lib/api-errors.ts';
import { FileList } from './file-list.tsx';
import { FilesFailed } from './files-failed.tsx';
import { failureWords } from './jobs/job-calls.ts';
import { useOwnFiles } from './jobs/own-files.ts';
import { totalSize, userFilesKey, useUserFiles } from './user-files.ts';
import type { UserFile } from './user-files.ts';

interface YourFilesCardProps {
  userId: string;
  allowed: boolean;
}

export function YourFilesCard({ userId, allowed }: YourFilesCardProps) {
  const query = useUserFiles(userId);
  const own = useOwnFiles(userId);
  useUnlistedFiles(userId, query.data, own.data);
  return (
    <Card aria-labelledby="your-files">
      <CardHeader className="flex-wrap items-start">
        <div className="flex min-w-0 flex-col">
          <CardTitle id="your-files">
            Your Files{query.data === undefined ? '' : ` (${query.data.length})`}
          </CardTitle>
          <SyncNotice query={own} />
        </div>
        {query.data !== undefined && (
          <QuotaBar used={totalSize(query.data)} quota={own.data?.quota_bytes ?? null} />
        )}
      </CardHeader>
      <CardContent>
        {query.isPending ? (
          <div role="status" aria-label="Loading your files" className="flex flex-col gap-2">
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </div>
        ) : query.isError ? (
          <FilesFailed query={query} />
        ) : query.data.length === 0 ? (
          <EmptyState icon={FolderOpen} title="No files uploaded yet">
            <p>Upload your first file above to get started!</p>
          </EmptyState>
        ) : (
          <FileList userId={userId} files={query.data} own={own.data} allowed={allowed} />
        )}
      </CardContent>
    </Card>
  );
}

/** Refetches the list when a conversion has added a file that it lacks. */
function useUnlistedFiles(userId: string, files: readonly UserFile[] | undefined, own: OwnFiles | undefined) {
  const queryClient = useQueryClient();
  const listed = new Set(files?.map(({ id }) => id));
  const unlisted =
    files === undefined
      ? ''
      : (own?.files ?? [])
          .map(({ file_id }) => file_id)
          .filter((id) => !listed.has(id))
          .join();
  // By its content, so that a file that never comes is asked for once.
  useEffect(() => {
    if (unlisted !== '') void queryClient.invalidateQueries({ queryKey: userFilesKey(userId) });
  }, [queryClient, userId, unlisted]);
}

interface QuotaBarProps {
  /** Bytes. */
  used: number;
  /** Bytes of the plan; `null` while unknown. */
  quota: number | null;
}

function QuotaBar({ used, quota }: QuotaBarProps) {
  const text = quota ? `${fileSize(used)} of ${roundFileSize(quota)} used` : `${fileSize(used)} used`;
  return (
    <div className="flex w-full flex-col gap-1 pt-0.5 sm:w-56">
      <p className="text-muted text-xs tabular-nums sm:text-right">{text}</p>
      <Progress
        aria-label="Storage used"
        // Whole percents: a small share would be written as 1e-7, which screen readers do not read.
        value={quota ? Math.min(100, Math.round((used / quota) * 100)) : 0}
        getValueLabel={() => text}
      />
    </div>
  );
}

function SyncNotice({ query }: { query: UseQueryResult<OwnFiles> }) {
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
        'Files become datasets automatically, except matrices and their lists; raw counts need your review first.'
      )}
    </div>
  );
}

function noticeText({ data, error }: UseQueryResult<OwnFiles>): string {
  if (!(error instanceof ApiUnreachable)) return failureWords(error);
  return data === undefined
    ? 'The server does not answer, so the status of these files cannot be shown.'
    : 'The server does not answer. The status shown may be out of date.';
}
