import { fileSize, roundFileSize, type UserFileList } from '@cellfolio/contract';
import { CloudOff, FolderOpen, Lock } from 'lucide-react';
import { useQueryClient, type UseQueryResult, type QueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { isProfessional, useSubscription, subscriptionKey } from '@/features/billing/index.ts';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { EmptyState, Skeleton } from '@/components/ui/placeholders.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { ApiUnreachable } from '@/lib/api-errors.ts';
import { Alert } from '@/components/ui/alert.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useServices, type Services } from '@/lib/services.ts';
import { JobsCard } from './jobs/jobs-card.tsx';
import { LinkRow } from './links/link-row.tsx';
import { FileList } from './file-list.tsx';
import { FilesFailed } from './files-failed.tsx';
import { FormatsLine } from './formats-line.tsx';
import { failureWords } from './jobs/job-calls.ts';
import { useOwnFiles } from './jobs/own-files.ts';
import { totalSize, userFilesKey, useUserFiles, type UserFile } from './user-files.ts';
import { UploadForm } from './upload-form.tsx';
import { UploadList } from './upload-list.tsx';
import { failureText, isPlanFailure, planRequired } from './queue/failure-text.ts';
import { tusTransfers } from './queue/transfer.ts';
import type { UploadItem } from './queue/upload-items.ts';
import { UploadQueue } from './queue/upload-queue.ts';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/explorer', label: 'Explorer' },
] as const;

function UploadDataPage() {
  return (
    <SignedInPage
      title="Upload Data"
      lead={() => 'Upload custom data for single cell analysis'}
      links={links}
      intro={<FormatsLine />}
    >
      {({ id }) => <UserData userId={id} />}
    </SignedInPage>
  );
}

function UserData({ userId }: { userId: string }) {
  const plan = useSubscription();
  // The server decides; where the plan is not known, it is asked.
  const allowed = isProfessional(plan) || plan.loading || plan.failed;
  return (
    <>
      <ErrorBoundary region="The upload form">
        <UploadCard userId={userId}>
          <ErrorBoundary region="The form for links">
            <LinkRow userId={userId} allowed={allowed} />
          </ErrorBoundary>
        </UploadCard>
      </ErrorBoundary>
      <ErrorBoundary region="The list of your files">
        <YourFilesCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of jobs">
        <JobsCard userId={userId} allowed={allowed} />
      </ErrorBoundary>
    </>
  );
}

export const Component = whenStarted(UploadDataPage);

function YourFilesCard({ userId, allowed }: { userId: string; allowed: boolean }) {
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
function useUnlistedFiles(
  userId: string,
  files: readonly UserFile[] | undefined,
  own: UserFileList | undefined,
) {
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

function SyncNotice({ query }: { query: UseQueryResult<UserFileList> }) {
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

function noticeText({ data, error }: UseQueryResult<UserFileList>): string {
  if (!(error instanceof ApiUnreachable)) return failureWords(error);
  return data === undefined
    ? 'The server does not answer, so the status of these files cannot be shown.'
    : 'The server does not answer. The status shown may be out of date.';
}

function UploadCard({ userId, children }: { userId: string; children: ReactNode }) {
  const subscription = useSubscription();
  const queryClient = useQueryClient();
  const { queue, items } = useUploadQueue(userId);
  const allowed = isProfessional(subscription);
  return (
    <Card aria-labelledby="upload-new-file">
      <CardHeader>
        <CardTitle id="upload-new-file">Upload New File</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        {subscription.failed ? (
          <Alert variant="warning" role="alert" className="items-center justify-between">
            Your plan could not be checked, so nothing can be uploaded now.
            <Button
              variant="secondary"
              size="sm"
              onClick={() => void queryClient.invalidateQueries({ queryKey: subscriptionKey })}
            >
              Try again
            </Button>
          </Alert>
        ) : (
          !subscription.loading &&
          !allowed && (
            <Alert variant="warning" role="status">
              <Lock aria-hidden />
              <div>
                <p className="font-medium">Professional Plan Required</p>
                <p>
                  Custom data upload is part of the Professional plan.{' '}
                  <Link to="/pricing" className="rounded font-medium underline underline-offset-4">
                    Upgrade Now
                  </Link>
                </p>
              </div>
            </Alert>
          )
        )}
        <UploadForm
          userId={userId}
          queue={queue}
          items={items}
          gate={subscription.loading ? 'checking' : allowed ? 'open' : 'closed'}
        />
        <UploadList queue={queue} items={items} resumable={allowed} />
        {children}
      </CardContent>
    </Card>
  );
}

/** One queue per app, so that uploads continue when the page is left. */
const queues = new WeakMap<Services, UploadQueue>();

function useUploadQueue(userId: string): { queue: UploadQueue; items: readonly UploadItem[] } {
  const services = useServices();
  const queryClient = useQueryClient();
  const queue = queueOf(services, queryClient, userId);
  return { queue, items: useSyncExternalStore(queue.subscribe, queue.get) };
}

function queueOf(services: Services, queryClient: QueryClient, userId: string): UploadQueue {
  const existing = queues.get(services);
  if (existing?.userId === userId) return existing;
  existing?.close();
  const queue = new UploadQueue({
    userId,
    services,
    transfers: tusTransfers(services),
    onStored: ({ fileName }) => {
      toast.success('File uploaded successfully', { description: fileName });
      void queryClient.invalidateQueries({ queryKey: userFilesKey(userId) });
    },
    onFailed: ({ originalName, error }) => {
      if (isPlanFailure(error)) {
        toast.error(planRequired.title, { description: planRequired.description });
      } else {
        toast.error('Failed to upload file', { description: `${originalName}: ${failureText(error)}` });
      }
    },
  });
  queues.set(services, queue);
  const stopWatching = services.session.subscribe(() => {
    const session = services.session.get();
    if (session.status === 'signed-in' && session.user.id === userId) return;
    stopWatching();
    queue.close();
    if (queues.get(services) === queue) queues.delete(services);
  });
  return queue;
}
