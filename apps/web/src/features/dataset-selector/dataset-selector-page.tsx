import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { useDatasetMetadata } from '@/features/datasets/use-dataset-metadata.ts';
import { RecentDatasetsPanel } from '@/features/recent-datasets/recent-datasets-panel.tsx';
import { useSession } from '@/lib/services.ts';
import { DatasetList } from './dataset-list.tsx';
import { DatasetPreview } from './dataset-preview.tsx';
import { DiseaseList } from './disease-list.tsx';
import { datasetsOf, useSelection } from './use-selection.ts';

export function DatasetSelectorPage() {
  const session = useSession();
  const query = useDatasetMetadata();
  const { selection, select } = useSelection();
  const datasets = datasetsOf(query.data, selection);
  const dataset = datasets?.find((candidate) => candidate.dataset_filename === selection.dataset);

  return (
    <div className="flex min-h-dvh flex-col">
      <title>Dataset Selector · Cellfolio</title>
      <AppHeader />
      <main className="mx-auto w-full max-w-360 flex-1 p-4 lg:p-6">
        <h1 className="mb-4 text-xl font-semibold tracking-tight">Dataset Selector</h1>
        <div className="grid items-start gap-4 md:grid-cols-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]">
          <div className="flex flex-col gap-4">
            <ErrorBoundary region="The list of diseases">
              <DiseaseList
                query={query}
                selection={selection}
                onSelect={(disease, subDisease) => select({ disease, subDisease, dataset: null })}
              />
            </ErrorBoundary>
            {session.status === 'signed-in' && (
              <ErrorBoundary region="The list of recent datasets">
                <RecentDatasetsPanel catalogue={query.data} />
              </ErrorBoundary>
            )}
          </div>
          <ErrorBoundary region="The list of datasets">
            <DatasetList
              disease={datasets === undefined ? null : selection.disease}
              datasets={datasets}
              chosen={selection.dataset}
              onSelect={(filename) => select({ ...selection, dataset: filename })}
            />
          </ErrorBoundary>
          <ErrorBoundary region="The preview">
            <DatasetPreview disease={selection.disease} dataset={dataset} />
          </ErrorBoundary>
        </div>
      </main>
    </div>
  );
}
