import type { PlotIsolatedCellTypesAnswer, PlotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { clustersTitle } from '@cellfolio/plots/content';
import { CheckList } from '@/components/check-list.tsx';
import { PlotRunControls } from '@/components/plot-run-controls.tsx';
import { toast } from '@/components/ui/toast.ts';
import { usePlotRun } from '@/components/use-plot-run.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { generatedText } from './generated-text.ts';
import type { CellTypePanelProps } from './cell-type-panel.tsx';
import { amongNames } from './cell-type-panel.tsx';

type ClusterPanelProps = Omit<CellTypePanelProps, 'cellTypes' | 'unlabelled'>;

/** Cell Type Visualization of a dataset without cell types: its clusters, if it has any, in colour over the others. */
export function ClusterPanel({
  draftKey,
  clusters,
  call,
  busy,
  exists,
  onGenerated,
  onExisting,
  onReload,
}: ClusterPanelProps) {
  const [drafted, setChosen] = useDraft<string[]>(`${draftKey}:clusters`, [], readTexts);
  const chosen = amongNames(drafted, clusters);
  const run = usePlotRun<PlotIsolatedCellTypesRequest, PlotIsolatedCellTypesAnswer, never>({
    call,
    complete: chosen.length > 0,
    busy,
    failed: 'Failed to visualize clusters. Please try again.',
  });
  const visualize = () => {
    if (run.disabled) return;
    const title = clustersTitle(chosen);
    const [done, fresh] = exists.clusters(chosen) ? [[title], []] : [[], [title]];
    if (!run.guard({ done, fresh, onExisting: () => onExisting([], chosen) })) return;
    run.draw(
      { cell_types: [], leiden_clusters: chosen },
      (answer) =>
        void toast.success('Cluster Visualization Generated', {
          description: generatedText(onGenerated(answer), fresh),
        }),
    );
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted text-[13px]">No cell types available for this dataset</p>
      {clusters.length > 0 && (
        <>
          <CheckList
            legend="Clusters"
            items={clusters.map(({ name, count }) => ({ value: name, label: `Cluster ${name}`, count }))}
            checked={chosen}
            onChange={setChosen}
          />
          <PlotRunControls
            run={run}
            label="Visualize Clusters"
            working="Visualizing..."
            kept="Your choice and your images are kept."
            onRun={visualize}
            onReload={onReload}
          />
        </>
      )}
    </div>
  );
}
