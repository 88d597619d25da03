import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { findDataset } from '@/features/datasets/find-dataset.ts';
import { useDatasetMetadata } from '@/features/datasets/use-dataset-metadata.ts';
import { rememberDataset } from '@/features/recent-datasets/recent-datasets.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { ExplorerMain } from './explorer-main.tsx';
import { ExplorerNotice } from './explorer-notice.tsx';
import { ExplorerSkeleton } from './explorer-skeleton.tsx';
import { useDatasetAnalysis } from './use-dataset-analysis.ts';

interface DatasetExplorerProps {
  disease: string;
  filename: string;
}

/**
 * Opens one dataset, then explores it. An address can name any disease: where the catalogue has the dataset, the
 * disease is the catalogue's. That is why the catalogue is waited for, though not insisted on.
 */
export function DatasetExplorer({ disease: askedDisease, filename }: DatasetExplorerProps) {
  const analysis = useDatasetAnalysis(filename);
  const catalogue = useDatasetMetadata();
  const found = findDataset(catalogue.data, filename, askedDisease);
  const disease = found?.disease ?? askedDisease;
  const opened = analysis.isSuccess && !catalogue.isPending;
  useEffect(() => {
    if (opened) rememberDataset({ disease, dataset: filename, timestamp: Date.now() });
  }, [opened, disease, filename]);

  const navigate = useNavigate();
  const trialExpired = isTrialExpired(analysis.error);
  useEffect(() => {
    if (!trialExpired) return;
    toast.error('Free Trial Expired', {
      // Two effects of one refusal are one notice.
      id: 'trial-expired',
      description: 'Your 7-day free trial has expired. Please upgrade to continue using the platform.',
    });
    void navigate('/pricing?trial_expired=true', { replace: true });
  }, [trialExpired, navigate]);

  const entry = found?.dataset;
  if (analysis.isPending || trialExpired || (analysis.isSuccess && catalogue.isPending))
    return <ExplorerSkeleton disease={disease} dataset={entry?.name ?? filename} />;
  if (analysis.isError) {
    return (
      <ExplorerNotice
        role="alert"
        icon={<CircleAlert aria-hidden className="text-danger" />}
        title="Dataset Loading Failed"
        text={
          <>
            <p className="wrap-anywhere">
              {filename} could not be opened. {analysis.error.message}.
            </p>
            {analysis.error instanceof CallFailed && analysis.error.reason !== '' && (
              <p className="mt-2 text-[13px] break-words">{analysis.error.reason}</p>
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
  return <ExplorerMain disease={disease} filename={filename} analysis={analysis.data} entry={entry} />;
}

/** The server decides about trials; the page follows. */
function isTrialExpired(error: unknown): boolean {
  return (
    error instanceof CallFailed && error.cause instanceof ApiRefusal && error.cause.code === 'trial_expired'
  );
}
