import type { DatasetAnalysis, Job, SubclusteringLinks } from '@cellfolio/contract';
import { minSubclusteringCells, noCountsReason } from '@cellfolio/contract';
import { Network } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { type MapStore, useMapState } from '@/features/map/index.ts';
import type { ActiveSubset } from '@/features/subsets/index.ts';
import { fileStates, JobEntry, RunningJob, useOwnFiles } from '@/features/uploads/index.ts';
import { useUserId } from '@/lib/services.ts';
import { cellsAtFirst } from './cells-at-first.ts';
import { datasetPath, partText } from './part-of.tsx';
import { useSubclusterings } from './subclustering-calls.ts';

const SubclusteringDialog = lazy(async () => ({
  default: (await import('./subclustering-dialog.tsx')).SubclusteringDialog,
}));

interface SubclusteringsPanelProps {
  filename: string;
  name: string;
  analysis: DatasetAnalysis;
  activeSubset: ActiveSubset;
  maps: MapStore;
}

export function SubclusteringsPanel({
  filename,
  name,
  analysis,
  activeSubset,
  maps,
}: SubclusteringsPanelProps) {
  const selection = useMapState(maps, (state) => state.selection);
  const [open, setOpen] = useState(false);
  const links = useSubclusterings(filename);
  const names = useCategoryNames(filename);
  if (!analysis.raw_counts) {
    return (
      <p className="text-muted text-[13px]">
        Subclustering needs raw counts, and this dataset has none.{noCountsReason(analysis.warnings)} You can
        still view its cells on the existing map: choose them under Cell subset. For a new map, upload a file
        of the same cells with raw counts.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted text-[13px]">
        New variable genes, components, clusters and UMAP for some of the cells, at least{' '}
        {minSubclusteringCells}, as a new dataset.
      </p>
      <Button className="self-start" disabled={activeSubset.isApplying} onClick={() => setOpen(true)}>
        <Network aria-hidden />
        Subcluster These Cells
      </Button>
      {links.isError && (
        <p role="alert" className="text-danger text-xs">
          The subclusterings could not be loaded.{' '}
          <Button variant="link" size="inline" className="text-xs" onClick={() => void links.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {links.data && <SubclusteringList links={links.data} />}
      {open && (
        <Suspense>
          <SubclusteringDialog
            filename={filename}
            name={name}
            analysis={analysis}
            cellsAtFirst={cellsAtFirst(analysis, selection, activeSubset.active.group, names)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function SubclusteringList({ links: { subclusterings: maps, jobs } }: { links: SubclusteringLinks }) {
  const { data: own } = useOwnFiles(useUserId());
  if (maps.length + jobs.length === 0) return null;
  const states = own && fileStates(own);
  return (
    <ul
      aria-label="Subclusterings of this dataset"
      className="divide-border divide-y rounded-md border text-[13px]"
    >
      {jobs.map((job) => (
        <JobEntry key={job.id} job={job} />
      ))}
      {maps.map(({ dataset_filename: dataset, name, state, problem, part }) => (
        <li key={dataset} className="flex flex-col gap-0.5 px-2.5 py-2">
          {state === 'ready' ? (
            <Link
              to={datasetPath(dataset, name)}
              className="rounded font-medium wrap-anywhere underline underline-offset-4"
            >
              {name}
            </Link>
          ) : (
            <span className="font-medium wrap-anywhere">{name}</span>
          )}
          <span className="text-muted text-xs wrap-anywhere tabular-nums">{partText(part)}</span>
          {state === 'preparing' && (
            <BuildProgress job={states?.get(dataset.replace(/^custom:/, ''))?.building} />
          )}
          {problem !== null && (
            <span className="text-danger text-xs wrap-anywhere">
              {state === 'ready' ? `The new version could not be built: ${problem.message}` : problem.message}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function BuildProgress({ job }: { job: Job | null | undefined }) {
  if (job) return <RunningJob job={job} />;
  return (
    <span role="status" className="text-muted flex items-center gap-1.5 text-xs">
      <Spinner className="size-3" />
      Clusters and UMAP are being computed.
    </span>
  );
}
