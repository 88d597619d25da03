import { type DatasetAnalysis, type DatasetNotReady, jobAnswer } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleAlert, FlaskConical } from 'lucide-react';
import { useEffect, useMemo, useState, useRef } from 'react';
import { Link } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ExplorerNotice } from '@/components/explorer-notice.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { findDataset, rememberDataset, useDatasetMetadata } from '@/features/catalogue/index.ts';
import { datasetLabel, useStoredImages, renderFigure, useObjectUrl } from '@/features/images/index.ts';
import {
  useOwnVersion,
  useUserFiles,
  isActive,
  JobProgress,
  jobStage,
  NotifyButton,
  useFinishedJobs,
} from '@/features/uploads/index.ts';
import { ApiRefusal, CallFailed, reasonOf } from '@/lib/api-errors.ts';
import { useServices, useSession, useUserId } from '@/lib/services.ts';
import { Progress } from '@/components/ui/progress.tsx';
import { isReplacedSince, listedVersion, useCatalogueOnFocus } from './dataset-version.ts';
import { missingMap } from './explorer-images.ts';
import { ExplorerMain } from './explorer-main.tsx';
import { type CustomFile, useDatasetAnalysis } from './open-dataset.tsx';

interface DatasetExplorerProps {
  disease: string;
  filename: string;
  /** Set for an upload. */
  custom: CustomFile | null;
}

/**
 * Opens a dataset, then explores it. A URL can name any disease: if the catalogue has the dataset, its disease is used.
 * Hence the catalogue is awaited, but not required.
 */
export function DatasetExplorer({
  disease: requestedDisease,
  filename,
  custom: requestedFile,
}: DatasetExplorerProps) {
  const custom = useNamedFile(requestedFile);
  const opening = useDatasetAnalysis(filename);
  const analysis = opening.data?.analysis ?? null;
  const catalogue = useDatasetMetadata();
  const session = useSession();
  useStoredImages(session.status === 'signed-in' ? session.user.id : null);
  const catalogueMatch = findDataset(catalogue.data, filename, requestedDisease);
  const disease = catalogueMatch?.disease ?? requestedDisease;
  // The default figure of an upload is its owner's alone: it is drawn for the page instead of having an address.
  const needsFigure = custom !== null && analysis !== null && missingMap(analysis) === undefined;
  const figure = useCustomFigure(needsFigure ? analysis : undefined);
  const opened = analysis !== null && !catalogue.isPending;
  const entry = catalogueMatch?.dataset;
  useCatalogueOnFocus();
  const ownVersion = useOwnVersion(custom?.id);
  const isReplaced = isReplacedSince(
    { value: analysis ?? undefined, at: opening.dataUpdatedAt },
    custom === null ? { value: listedVersion(entry), at: catalogue.dataUpdatedAt } : ownVersion,
  );
  const listedName = entry?.name;
  useEffect(() => {
    if (opened && custom === null)
      rememberDataset({ disease, dataset: filename, name: listedName, timestamp: Date.now() });
  }, [opened, disease, filename, listedName, custom]);

  const name = custom?.name ?? entry?.name ?? filename;
  if (opening.isError) {
    return (
      <ExplorerNotice
        role="alert"
        icon={<CircleAlert aria-hidden className="text-danger" />}
        title="Dataset Loading Failed"
        text={
          <>
            <p className="wrap-anywhere">
              {name} could not be opened. {reasonOf(opening.error)}.
            </p>
            {opening.error instanceof CallFailed && opening.error.reason !== '' && (
              <p className="mt-2 text-[13px] break-words">{opening.error.reason}</p>
            )}
            {custom !== null && isNotFound(opening.error) && (
              <p className="mt-2 text-[13px]">
                The file may have been deleted, or it belongs to another account.
              </p>
            )}
          </>
        }
      >
        <Button asChild>
          <Link to="/dataset-selector">Select Different Dataset</Link>
        </Button>
        <Button variant="secondary" onClick={() => location.reload()}>
          Refresh Page
        </Button>
      </ExplorerNotice>
    );
  }
  const notReady = opening.data?.notReady;
  if (notReady) {
    return <PreparingDataset name={name} notReady={notReady} openAgain={() => void opening.refetch()} />;
  }
  if (!opened || figure.isPending) return <ExplorerSkeleton disease={disease} dataset={name} />;
  return (
    <ExplorerMain
      disease={disease}
      filename={filename}
      analysis={analysis}
      entry={entry}
      catalogue={catalogue.data}
      custom={custom}
      defaultUrl={figure.url}
      isReplaced={isReplaced}
    />
  );
}

function isNotFound(error: Error): boolean {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.status === 404;
}

/** An upload with its owner's name; the URL may have another, or none. */
function useNamedFile(requestedFile: CustomFile | null): CustomFile | null {
  const userId = useUserId();
  const files = useUserFiles(userId, { enabled: requestedFile !== null && userId !== '' }).data;
  const id = requestedFile?.id ?? '';
  const owned = files?.find((file) => file.id === id)?.file_name;
  const name = owned ?? (requestedFile?.name || datasetLabel({ datasetName: `custom:${id}` }));
  return useMemo(() => (id === '' ? null : { id, name }), [id, name]);
}

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

/** The default figure of an upload, which has no public address. Nothing is drawn without `analysis`. */
function useCustomFigure(analysis: DatasetAnalysis | undefined): {
  url: string | null;
  isPending: boolean;
} {
  const { api } = useServices();
  const filename = analysis?.dataset_filename ?? '';
  const version = analysis?.version ?? '';
  const figure = useQuery({
    queryKey: ['default-figure', filename, version],
    queryFn: ({ signal }) =>
      renderFigure(
        api,
        { dataset_filename: filename, version, content: { kind: 'category-umap' } },
        'png',
        signal,
      ),
    enabled: analysis !== undefined,
    staleTime: Infinity,
    // A dataset rebuilt while it is open keeps the page as it is.
    placeholderData: keepPreviousData,
  });
  const url = useObjectUrl(figure.data ?? null);
  const [shown, setShown] = useState<string | null>(null);
  if (url !== null && url !== shown) setShown(url);
  // The URL follows one render after the file; until then the previous one is used.
  const isLoading = figure.isPending || (figure.isSuccess && url === null);
  return {
    url: url ?? (isLoading ? shown : null),
    isPending: analysis !== undefined && isLoading && shown === null,
  };
}

const pollMs = 1000;
const lostPollMs = 5000;

interface PreparingDatasetProps {
  name: string;
  notReady: DatasetNotReady;
  openAgain: () => void;
}

function PreparingDataset({ name, notReady, openAgain }: PreparingDatasetProps) {
  const { state, problem, job_id: jobId } = notReady;
  const { job, isLost } = useJob(state === 'failed' ? null : jobId);
  const active = job !== undefined && isActive(job);
  const ended = job !== undefined && !active;
  const again = useRef(openAgain);
  useEffect(() => {
    again.current = openAgain;
  });
  useEffect(() => {
    if (!ended && !isLost) return;
    if (ended) again.current();
    // The result may take a moment, or another job follows.
    const timer = setInterval(() => again.current(), ended ? pollMs : lostPollMs);
    return () => clearInterval(timer);
  }, [ended, isLost]);

  if (state === 'failed') {
    return (
      <ExplorerNotice
        role="alert"
        icon={<CircleAlert aria-hidden className="text-danger" />}
        title={problem?.code === 'waits_for_owner' ? 'Waiting for Your Review' : 'Dataset Loading Failed'}
        text={
          <>
            <p className="wrap-anywhere">There is no dataset of {name} to explore.</p>
            <p className="mt-2 text-[13px] wrap-anywhere">
              {problem?.message ?? 'The log of its job on the page Upload Data says why.'}
            </p>
          </>
        }
      >
        <Button asChild>
          <Link to="/upload-data">Upload Data</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/dataset-selector">Select Different Dataset</Link>
        </Button>
      </ExplorerNotice>
    );
  }
  return (
    <ExplorerNotice
      icon={<FlaskConical aria-hidden />}
      title="Preparing Dataset"
      text={<p className="wrap-anywhere">{name} opens here as soon as it is ready.</p>}
      below={
        <div className="flex w-80 max-w-full flex-col gap-1.5">
          {active ? (
            <JobProgress job={job} className="text-muted" />
          ) : (
            <Progress aria-label={`Progress of: ${name}`} value={null} className="my-1.25" />
          )}
          <p role="status" className="text-muted text-[13px]">
            {active ? jobStage(job) : 'Queued'}
          </p>
          {active && <NotifyButton className="self-center" />}
        </div>
      }
    >
      <Button asChild variant="secondary">
        <Link to="/upload-data">Upload Data</Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/dataset-selector">Select Different Dataset</Link>
      </Button>
    </ExplorerNotice>
  );
}

/** The current job; undefined until loaded. Lost when the server does not return it. */
function useJob(jobId: string | null) {
  const { api } = useServices();
  const { data, isError } = useQuery({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) =>
      api({ path: `/api/jobs/${encodeURIComponent(jobId ?? '')}`, answer: jobAnswer, signal }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return lostPollMs;
      return state.data && isActive(state.data.job) ? pollMs : false;
    },
    // Polls in the background too, for the notification of its end.
    refetchIntervalInBackground: true,
  });
  const jobs = useMemo(() => data && [data.job], [data]);
  useFinishedJobs(jobs);
  return { job: data?.job, isLost: isError };
}
