import type { DatasetAnalysis, GeneSetLibraries, PulledGeneSetLibraries } from '@cellfolio/contract';
import { fileSize, geneSetLibraries, pulledGeneSetLibraries } from '@cellfolio/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import type { ApiClient } from '@/lib/api-client.ts';
import { withFailureText } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';

const geneSetLibrariesKey = ['gene-set-libraries'] as const;

/**
 * The gene set libraries of the server, with what a dataset has of the cell states if one is given; fetched once per
 * hour, as an operator may add one.
 */
export function geneSetLibrariesQuery(
  api: ApiClient,
  dataset?: Pick<DatasetAnalysis, 'dataset_filename' | 'version'>,
) {
  return {
    queryKey: [...geneSetLibrariesKey, dataset?.dataset_filename, dataset?.version],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      listGeneSetLibraries(api, dataset?.dataset_filename, signal),
    staleTime: 3_600_000,
  };
}

function listGeneSetLibraries(
  api: ApiClient,
  dataset: string | undefined,
  signal: AbortSignal,
): Promise<GeneSetLibraries> {
  const query = dataset === undefined ? '' : `?dataset=${encodeURIComponent(dataset)}`;
  return withFailureText('Failed to load the gene set libraries', signal, () =>
    api({ path: `/api/gene-set-libraries${query}`, answer: geneSetLibraries, signal }),
  );
}

/** Fetches the libraries from their publisher; only operators may. @throws {CallFailed} */
function pullGeneSetLibraries(api: ApiClient, handle: CallHandle): Promise<PulledGeneSetLibraries> {
  return withFailureText('Failed to fetch the gene set libraries', handle.signal, () =>
    api({ path: '/api/gene-set-libraries/pull', body: {}, answer: pulledGeneSetLibraries, ...handle }),
  );
}

/** Fetches the libraries again, for those who may. */
export function PullLibraries() {
  const { api } = useServices();
  const isAllowed = useQuery(geneSetLibrariesQuery(api)).data?.may_pull === true;
  return isAllowed ? <PullLibrariesCard /> : null;
}

function PullLibrariesCard() {
  const { api } = useServices();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<PulledGeneSetLibraries['libraries'] | null>(null);
  const call = useCancellableCall((_nothing: null, handle) => pullGeneSetLibraries(api, handle));
  const pull = () => {
    setOutcome(null);
    call.mutate(null, {
      onSuccess: async ({ libraries }) => {
        setOutcome(libraries);
        await queries.invalidateQueries({ queryKey: geneSetLibrariesKey });
      },
    });
  };
  return (
    <section aria-label="Operators" className="flex flex-col gap-2 rounded-md border p-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted min-w-0 flex-1 basis-40 text-xs">
          You operate this server: fetch the complete libraries from their publisher for all users.
        </p>
        <Button type="button" variant="secondary" size="xs" disabled={call.isPending} onClick={pull}>
          <Download aria-hidden />
          {call.isPending ? 'Fetching...' : 'Fetch Libraries'}
        </Button>
      </div>
      {call.isPending && <PullProgress progress={call.progress} />}
      {call.error !== null && !isCancelled(call.error) && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          <span className="min-w-0 wrap-anywhere">{call.error.message} The previous libraries are kept.</span>
        </Alert>
      )}
      {outcome !== null && <PullOutcome libraries={outcome} />}
    </section>
  );
}

function PullProgress({ progress }: Pick<ReturnType<typeof useCancellableCall>, 'progress'>) {
  const { stage, done, total } = progress ?? { stage: 'Contacting the publisher', done: 0, total: 0 };
  // The publisher seldom says how much there is to come.
  const percent = total > 0 ? Math.round((100 * Math.min(done, total)) / total) : null;
  return (
    <div role="status" className="flex flex-col gap-1">
      <Progress value={percent} aria-label="Progress of fetching libraries" />
      <p className="text-muted text-xs wrap-anywhere">
        {stage}
        {done > 0 && `: ${fileSize(done)}`}
        {percent !== null && ` (${percent} %)`}. It continues if you leave this page.
      </p>
    </div>
  );
}

function PullOutcome({ libraries }: PulledGeneSetLibraries) {
  const failed = libraries.filter(({ outcome }) => outcome === 'failed');
  return (
    <Alert variant={failed.length === 0 ? 'success' : 'warning'} role="status">
      <span className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <span>
          {failed.length === 0
            ? 'The libraries are up to date.'
            : `${failed.length} of ${libraries.length} libraries could not be fetched; their previous versions are kept.`}
        </span>
        {libraries.map(({ name, outcome, reason, warnings }) => (
          <span key={name} className="text-xs">
            {outcome === 'failed' ? reason : `${name} ${outcome === 'kept' ? `kept: ${reason}` : 'fetched'}.`}
            {warnings.length > 0 && ` ${warnings.join(' ')}`}
          </span>
        ))}
      </span>
    </Alert>
  );
}
