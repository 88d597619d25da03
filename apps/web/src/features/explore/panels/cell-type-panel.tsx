import type { PlotIsolatedCellTypesAnswer, PlotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { clustersTitle } from '@cellfolio/plots/content';
import { useId } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import { PlotRunControls } from '@/components/plot-run-controls.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { toast } from '@/components/ui/toast.ts';
import { usePlotRun } from '@/components/use-plot-run.ts';
import { counted } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { readFlag, readTexts, useDraft } from '@/lib/use-draft.ts';
import type { GeneratedCount } from './generated-text.ts';
import { generatedText } from './generated-text.ts';
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

export function amongNames(drafted: readonly string[], known: readonly NamedCount[]): string[] {
  const names = new Set(known.map(({ name }) => name));
  return drafted.filter((name) => names.has(name));
}

export interface CellTypePanelProps {
  draftKey: string;
  cellTypes: readonly NamedCount[];
  clusters: readonly NamedCount[];
  /** Active cells without a cell type. */
  unlabelled: number;
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
  unlabelled,
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
  const chosen = amongNames(drafted, cellTypes);
  const chosenClusters = amongNames(draftedClusters, clusters);
  const clusterChoice = chosen.length > 0 && clusters.length > 0;
  const run = usePlotRun<PlotIsolatedCellTypesRequest, PlotIsolatedCellTypesAnswer, never>({
    call,
    complete: chosen.length > 0,
    busy,
    failed: 'Failed to apply cell type filter. Please try again.',
  });

  const visualize = () => {
    if (run.disabled) return;
    const wantedClusters = clusterChoice && withClusters ? chosenClusters : [];
    const plan = planCellTypePlots(chosen, wantedClusters, exists);
    const done = [...plan.done, ...(plan.clustersDone ? [clustersTitle(wantedClusters)] : [])];
    const fresh = [...plan.wanted, ...(plan.clusters.length > 0 ? [clustersTitle(plan.clusters)] : [])];
    if (!run.guard({ done, fresh, onExisting: () => onExisting(chosen, wantedClusters) })) return;
    run.draw(
      {
        // A call names at least one cell type, also where only the clusters are new.
        cell_types: plan.wanted.length > 0 ? plan.wanted : chosen.slice(0, 1),
        leiden_clusters: plan.clusters,
      },
      (answer) =>
        void toast.success('Cell Type Filter Applied', {
          description: generatedText(onGenerated(answer), fresh),
        }),
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <CheckList
        legend="Cell types"
        items={cellTypes.map(({ name, count }) => ({ value: name, label: name, count }))}
        checked={chosen}
        onChange={setChosen}
      >
        {unlabelled > 0 && (
          <p className="text-muted text-xs">
            {`${counted(unlabelled, 'active cell')} without a cell type: in none of these.`}
          </p>
        )}
      </CheckList>
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
      <PlotRunControls
        run={run}
        label="Visualize Cell Type Filter"
        working="Filtering..."
        kept="Your choice and your images are kept."
        onRun={visualize}
        onReload={onReload}
      />
    </div>
  );
}
