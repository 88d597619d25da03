import type { PlotIsolatedCellTypesAnswer, PlotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { useId } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { GeneratedCount } from '@/features/gene-visualization/generated-text.ts';
import { generatedText } from '@/features/gene-visualization/generated-text.ts';
import { PlotFailureAlert } from '@/features/gene-visualization/plot-failure-alert.tsx';
import { noDatasetLoaded } from '@/features/gene-visualization/plot-failure.ts';
import { nameList } from '@/lib/name-list.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { readFlag, readTexts, useDraft } from '@/lib/use-draft.ts';
import { CheckList } from './check-list.tsx';
import { clustersTitle } from './clusters-title.ts';
import { planCellTypePlots } from './plan-cell-type-plots.ts';
import { plotIsolatedCellTypes } from './plot-isolated-cell-types.ts';

export function usePlotCellTypes() {
  const { api } = useServices();
  return useCancellableCall((request: PlotIsolatedCellTypesRequest, handle) =>
    plotIsolatedCellTypes(api, request, handle),
  );
}

export interface NamedCount {
  name: string;
  /** Cells among the active ones; left out where that is not known. */
  count: number | undefined;
}

interface CellTypePanelProps {
  draftKey: string;
  cellTypes: readonly NamedCount[];
  clusters: readonly NamedCount[];
  call: ReturnType<typeof usePlotCellTypes>;
  busy: boolean;
  exists: { cellType: (name: string) => boolean; clusters: (names: readonly string[]) => boolean };
  onGenerated: (answer: PlotIsolatedCellTypesAnswer) => GeneratedCount;
  onExisting: (cellTypes: readonly string[], clusters: readonly string[]) => void;
  onReload: () => Promise<boolean>;
}

/** Cell Type Visualization: chosen cell types, and if wanted clusters, in colour over the other cells. */
export function CellTypePanel({
  draftKey,
  cellTypes,
  clusters,
  call,
  busy,
  exists,
  onGenerated,
  onExisting,
  onReload,
}: CellTypePanelProps) {
  const id = useId();
  const [drafted, setChosen] = useDraft<string[]>(`${draftKey}:cell-types`, [], readTexts);
  const [withClusters, setWithClusters] = useDraft(`${draftKey}:with-clusters`, false, readFlag);
  const [draftedClusters, setChosenClusters] = useDraft<string[]>(`${draftKey}:clusters`, [], readTexts);
  // What is remembered may be of another version of the dataset.
  const chosen = drafted.filter((name) => cellTypes.some((type) => type.name === name));
  const chosenClusters = draftedClusters.filter((name) => clusters.some((cluster) => cluster.name === name));
  const clusterChoice = chosen.length > 0 && clusters.length > 0;
  const disabled = chosen.length === 0 || call.isPending || busy;

  if (cellTypes.length === 0) {
    return <p className="text-muted text-[13px]">No cell types available for this dataset</p>;
  }

  const visualize = () => {
    if (disabled) return;
    const wantedClusters = clusterChoice && withClusters ? chosenClusters : [];
    const plan = planCellTypePlots(chosen, wantedClusters, exists);
    const done = [...plan.done, ...(plan.clustersDone ? [clustersTitle(wantedClusters)] : [])];
    const fresh = [...plan.wanted, ...(plan.clusters.length > 0 ? [clustersTitle(plan.clusters)] : [])];
    if (done.length > 0) {
      toast.info('Images Already Generated', {
        description:
          fresh.length === 0
            ? `${nameList(done)}: shown in the viewer.`
            : `${nameList(done)}: only ${nameList(fresh)} will be generated.`,
      });
    }
    if (fresh.length === 0) {
      call.reset();
      onExisting(chosen, wantedClusters);
      return;
    }
    call.mutate(
      {
        // A call names at least one cell type, also where only the clusters are new.
        cell_types: plan.wanted.length > 0 ? plan.wanted : chosen.slice(0, 1),
        leiden_clusters: plan.clusters,
      },
      {
        onSuccess: (answer) =>
          toast.success('Cell Type Filter Applied', {
            description: generatedText(onGenerated(answer), fresh),
          }),
        onError: (error) => {
          if (isCancelled(error)) return;
          toast.error('Error', {
            description:
              error.message === noDatasetLoaded
                ? noDatasetLoaded
                : 'Failed to apply cell type filter. Please try again.',
          });
        },
      },
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <CheckList
        legend="Cell types"
        items={cellTypes.map(({ name, count }) => ({ value: name, label: name, count }))}
        checked={chosen}
        onChange={setChosen}
      />
      {clusterChoice && (
        <div className="flex items-center gap-2 text-[13px]">
          <Checkbox
            id={`${id}-leiden`}
            checked={withClusters}
            onCheckedChange={(on) => setWithClusters(on === true)}
          />
          <label htmlFor={`${id}-leiden`}>Leiden Cluster</label>
        </div>
      )}
      {clusterChoice && withClusters && (
        <CheckList
          legend="Leiden clusters"
          items={clusters.map(({ name, count }) => ({ value: name, label: `Cluster ${name}`, count }))}
          checked={chosenClusters}
          onChange={setChosenClusters}
        />
      )}
      <Button onClick={visualize} disabled={disabled} className="w-full">
        {call.isPending ? (
          <>
            <Spinner />
            Filtering...
          </>
        ) : (
          'Visualize Cell Type Filter'
        )}
      </Button>
      <PlotFailureAlert
        error={call.error}
        kept="Your choice and your images are kept."
        onRetry={visualize}
        onReload={onReload}
      />
    </div>
  );
}
