import { cellTypes } from '@cellfolio/analyses';
import type { PlotIsolatedCellTypesAnswer, PlotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { clustersTitle } from '@cellfolio/figures/content';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { type CategoryNames, namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { plural } from '@/lib/format.ts';
import { readFlag, readTexts, useDraft } from '@/lib/use-draft.ts';
import { revealPanel } from '../panel-reveals.ts';
import { analysisPanels } from '../panel-titles.ts';
import type { Exploration } from '../use-exploration.ts';
import { generatedText } from './run-outcome.tsx';

interface NamedCount {
  name: string;
  /** Active cells with this name; undefined if unknown. */
  count: number | undefined;
}

/** The server counts the cell types of a subset, not its clusters. */
function clustersOf({ analysis, activeSubset }: Exploration): NamedCount[] {
  const counts = new Map(Object.entries(analysis.leiden_cluster_counts));
  const isWhole = activeSubset.active.group === null;
  return analysis.leiden_clusters.map((name) => ({ name, count: isWhole ? counts.get(name) : undefined }));
}

function item(value: string, label: string, count: number | undefined) {
  return { value, label, count, title: namesText(label, value) };
}

/** A cluster with its own label needs no number. */
function clusterText(name: string, { cluster }: CategoryNames): string {
  return cluster(name) === name ? `Cluster ${name}` : cluster(name);
}

function existingNames(drafted: readonly string[], available: readonly NamedCount[]): string[] {
  const names = new Set(available.map(({ name }) => name));
  return drafted.filter((name) => names.has(name));
}

export function CellTypePanel({ exploration }: { exploration: Exploration }) {
  const { draftKey, analysis, activeSubset, calls, images, onReload } = exploration;
  const { existing, onGenerated, onExisting } = images.cellType;
  const { active } = activeSubset;
  const names = useCategoryNames(exploration.filename);
  const counts = new Map(Object.entries(active.answer?.cell_type_counts ?? analysis.cell_type_counts));
  const cellTypes = analysis.cell_types.map((name) => ({ name, count: counts.get(name) }));
  const clusters = clustersOf(exploration);
  const unlabelled = active.answer?.unlabelled_cells ?? analysis.unlabelled_cells;
  const [drafted, setChosen] = useDraft<string[]>(`${draftKey}:cell-types`, [], readTexts);
  const [withClusters, setWithClusters] = useDraft(`${draftKey}:with-clusters`, false, readFlag);
  const [draftedClusters, setChosenClusters] = useDraft<string[]>(`${draftKey}:clusters`, [], readTexts);
  // What is remembered may be of another version of the dataset.
  const chosen = existingNames(drafted, cellTypes);
  const chosenClusters = existingNames(draftedClusters, clusters);
  const clusterChoice = chosen.length > 0 && clusters.length > 0;
  const run = usePlotRun<PlotIsolatedCellTypesRequest, PlotIsolatedCellTypesAnswer, never>({
    call: calls.cellType,
    complete: chosen.length > 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to apply cell type filter. Please try again.',
  });

  const visualize = async () => {
    if (run.disabled) return;
    const wantedClusters = clusterChoice && withClusters ? chosenClusters : [];
    const plan = planCellTypePlots(chosen, wantedClusters, await existing(chosen, wantedClusters));
    const titleOf = (of: readonly string[]) => clustersTitle(of.map(names.cluster));
    const done = [...plan.done.map(names.cellType), ...(plan.clustersDone ? [titleOf(wantedClusters)] : [])];
    const fresh = [
      ...plan.wanted.map(names.cellType),
      ...(plan.clusters.length > 0 ? [titleOf(plan.clusters)] : []),
    ];
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
        items={cellTypes.map(({ name, count }) => item(name, names.cellType(name), count))}
        checked={chosen}
        onChange={setChosen}
      >
        {unlabelled > 0 && (
          <p className="text-muted text-xs">
            {`${plural(unlabelled, 'active cell')} without a cell type: in none of these.`}
          </p>
        )}
      </CheckList>
      {clusterChoice && (
        <CheckOption checked={withClusters} onChange={setWithClusters}>
          Leiden Cluster
        </CheckOption>
      )}
      {clusterChoice && withClusters && (
        <CheckList
          legend="Leiden clusters"
          items={clusters.map(({ name, count }) => item(name, clusterText(name, names), count))}
          checked={chosenClusters}
          onChange={setChosenClusters}
        />
      )}
      <PlotRunControls
        run={run}
        label="Visualize Cell Type Filter"
        working="Filtering..."
        keptNote="Your choice and your images are kept."
        onRun={() => void visualize()}
        onReload={onReload}
      />
    </div>
  );
}

export function ClusterPanel({ exploration }: { exploration: Exploration }) {
  const { draftKey, activeSubset, calls, images, onReload } = exploration;
  const { existing, onGenerated, onExisting } = images.cellType;
  const clusters = clustersOf(exploration);
  const names = useCategoryNames(exploration.filename);
  const [drafted, setChosen] = useDraft<string[]>(`${draftKey}:clusters`, [], readTexts);
  const chosen = existingNames(drafted, clusters);
  const run = usePlotRun<PlotIsolatedCellTypesRequest, PlotIsolatedCellTypesAnswer, never>({
    call: calls.cellType,
    complete: chosen.length > 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to visualize clusters. Please try again.',
    refused: 'The Clusters Were Not Drawn',
  });
  const visualize = async () => {
    if (run.disabled) return;
    const title = clustersTitle(chosen.map(names.cluster));
    const exists = await existing([], chosen);
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
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {clusters.length > 0 && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => exploration.runs.prepare(declaredAnalysis(cellTypes), {})}
          >
            Suggest cell types...
          </Button>
        )}
        <Button variant="link" size="inline" onClick={() => revealPanel(analysisPanels.annotations)}>
          Label cells yourself
        </Button>
      </div>
      {clusters.length > 0 && (
        <>
          <CheckList
            legend="Clusters"
            items={clusters.map(({ name, count }) => item(name, clusterText(name, names), count))}
            checked={chosen}
            onChange={setChosen}
          />
          <PlotRunControls
            run={run}
            label="Visualize Clusters"
            working="Visualizing..."
            keptNote="Your choice and your images are kept."
            onRun={() => void visualize()}
            onReload={onReload}
          />
        </>
      )}
    </div>
  );
}

interface CellTypePlan {
  wanted: string[];
  done: string[];
  /** The combination of clusters to draw; empty when none is chosen, or its image exists. */
  clusters: string[];
  clustersDone: boolean;
}

/** Plans only new images: each cell type separately, the clusters as one combination. */
export function planCellTypePlots(
  cellTypes: readonly string[],
  clusters: readonly string[],
  exists: { cellType: (name: string) => boolean; clusters: (names: readonly string[]) => boolean },
): CellTypePlan {
  const done = cellTypes.filter(exists.cellType);
  const clustersDone = clusters.length > 0 && exists.clusters(clusters);
  return {
    wanted: cellTypes.filter((name) => !done.includes(name)),
    done,
    clusters: clustersDone ? [] : [...clusters],
    clustersDone,
  };
}
