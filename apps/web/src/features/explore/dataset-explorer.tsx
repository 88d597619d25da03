import { CircleAlert } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { ExplorerNotice } from '@/components/explorer-notice.tsx';
import { Button } from '@/components/ui/button.tsx';
import { findDataset, rememberDataset, useDatasetMetadata } from '@/features/catalogue/index.ts';
import { datasetLabel, useStoredImages } from '@/features/images/index.ts';
import { useUserFiles } from '@/features/uploads/index.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { useSession } from '@/lib/services.ts';
import type { CustomFile } from './custom-file.ts';
import { ExplorerMain } from './explorer-main.tsx';
import { missingMap } from './explorer-images.ts';
import { ExplorerSkeleton } from './explorer-skeleton.tsx';
import { PreparingDataset } from './preparing-dataset.tsx';
import { useCustomFigure } from './use-custom-figure.ts';
import { useDatasetAnalysis } from './use-dataset-analysis.ts';

interface DatasetExplorerProps {
  disease: string;
  filename: string;
  /** Set where the dataset is an upload. */
  custom: CustomFile | null;
}

/**
 * Opens one dataset, then explores it. An address can name any disease: where the catalogue has the dataset, the
 * disease is the catalogue's. That is why the catalogue is waited for, though not insisted on.
 */
export function DatasetExplorer({ disease: askedDisease, filename, custom: asked }: DatasetExplorerProps) {
  const custom = useNamedFile(asked);
  const opening = useDatasetAnalysis(filename);
  const analysis = opening.data?.analysis ?? null;
  const catalogue = useDatasetMetadata();
  const session = useSession();
  useStoredImages(session.status === 'signed-in' ? session.user.id : null);
  const found = findDataset(catalogue.data, filename, askedDisease);
  const disease = found?.disease ?? askedDisease;
  // The default figure of an upload is its owner's alone: it is drawn for the page instead of having an address.
  const drawn = custom !== null && analysis !== null && missingMap(analysis) === undefined;
  const figure = useCustomFigure(drawn ? analysis : undefined);
  const opened = analysis !== null && !catalogue.isPending;
  const entry = found?.dataset;
  const known = entry?.name;
  useEffect(() => {
    if (opened && custom === null)
      rememberDataset({ disease, dataset: filename, name: known, timestamp: Date.now() });
  }, [opened, disease, filename, known, custom]);

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
              {name} could not be opened. {opening.error.message}.
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
    />
  );
}

function isNotFound(error: Error): boolean {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.status === 404;
}

/** An upload by the name that its owner gives it; an address may say another, or none. */
function useNamedFile(asked: CustomFile | null): CustomFile | null {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : '';
  const files = useUserFiles(userId, { enabled: asked !== null && userId !== '' }).data;
  const id = asked?.id ?? '';
  const owned = files?.find((file) => file.id === id)?.file_name;
  const name = owned ?? (asked?.name || datasetLabel({ datasetName: `custom:${id}` }));
  return useMemo(() => (id === '' ? null : { id, name }), [id, name]);
}
