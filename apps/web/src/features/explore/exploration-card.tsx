import type { DatasetAnalysis } from '@cellfolio/contract';
import type { Dispatch, Ref, SetStateAction } from 'react';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import type { ActiveSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { SubsetChooser } from '@/features/subsets/index.ts';
import { readFlag, useDraft } from '@/lib/use-draft.ts';
import type { useExplorerImages } from './explorer-images.ts';
import { groupedByOf } from './explorer-images.ts';
import { PanelSection } from './panel-section.tsx';
import type { usePlotCellState } from './panels/cell-state-panel.tsx';
import { CellStatePanel } from './panels/cell-state-panel.tsx';
import type { usePlotCellTypes } from './panels/cell-type-panel.tsx';
import { CellTypePanel, ClusterPanel } from './panels/cell-type-panel.tsx';
import { GeneVisualizationPanel } from './panels/gene-visualization-panel.tsx';
import type { usePlotSignature } from './panels/signature-panel.tsx';
import { SignaturePanel } from './panels/signature-panel.tsx';
import type { usePlotUmapWithGenes } from './panels/use-plot-umap-with-genes.ts';
import { searchShortcut } from './use-search-shortcut.ts';
import type { useSubsetPlots } from './use-subset-plots.ts';

/** The calls of the four panels; their state is shown over the figures too. */
export interface PlotCalls {
  gene: ReturnType<typeof usePlotUmapWithGenes>;
  signature: ReturnType<typeof usePlotSignature>;
  cellState: ReturnType<typeof usePlotCellState>;
  cellType: ReturnType<typeof usePlotCellTypes>;
}

interface ExplorationCardProps {
  draftKey: string;
  analysis: DatasetAnalysis;
  index: GeneIndex;
  genesPerCall: number;
  genes: readonly string[];
  onGenesChange: Dispatch<SetStateAction<string[]>>;
  /** Changes when the gene panel is to open. */
  revealed: number;
  searchRef: Ref<HTMLInputElement>;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  calls: PlotCalls;
  images: ReturnType<typeof useExplorerImages>;
  several: ReturnType<typeof useSubsetPlots>;
  onReload: () => Promise<boolean>;
}

/** The Exploration card: which cells, and four ways to look at them. */
export function ExplorationCard({
  draftKey,
  analysis,
  index,
  genesPerCall,
  genes,
  onGenesChange,
  revealed,
  searchRef,
  subsets,
  activeSubset,
  calls,
  images,
  several,
  onReload,
}: ExplorationCardProps) {
  const [violin, setViolin] = useDraft(`${draftKey}:gene-violin`, false, readFlag);
  const busy = activeSubset.isApplying;
  const { active } = activeSubset;
  const counts = new Map(Object.entries(active.answer?.cell_type_counts ?? analysis.cell_type_counts));
  const clusterCounts = new Map(Object.entries(analysis.leiden_cluster_counts));
  const groupedBy = groupedByOf(analysis);
  const plotting = several.call.isPending || Object.values(calls).some(({ isPending }) => isPending);
  const isolation = {
    draftKey,
    clusters: analysis.leiden_clusters.map((name) => ({
      name,
      // The server counts the cell types of a subset, not its clusters.
      count: active.group === null ? clusterCounts.get(name) : undefined,
    })),
    call: calls.cellType,
    busy,
    ...images.cellType,
    onReload,
  };
  return (
    <Card aria-labelledby="exploration">
      <CardHeader>
        <CardTitle id="exploration">Exploration</CardTitle>
      </CardHeader>
      <CardContent className="pb-3">
        <SubsetChooser
          subsets={subsets}
          activeSubset={activeSubset}
          datasetCells={analysis.cell_count}
          datasetUnlabelled={analysis.unlabelled_cells}
          disabled={plotting}
          onReload={onReload}
        />
      </CardContent>
      <div className="border-t">
        <PanelSection title="Gene Visualization" defaultOpen revealed={revealed}>
          <GeneVisualizationPanel
            searchRef={searchRef}
            shortcut={searchShortcut}
            index={index}
            genesPerCall={genesPerCall}
            genes={genes}
            onGenesChange={onGenesChange}
            groupedBy={groupedBy}
            violin={violin}
            onViolinChange={setViolin}
            call={calls.gene}
            busy={busy}
            {...images.gene}
            several={several}
            onReload={onReload}
          />
        </PanelSection>
        <PanelSection title="Cell State Visualization">
          <CellStatePanel
            draftKey={draftKey}
            groupedBy={groupedBy}
            call={calls.cellState}
            busy={busy}
            {...images.score}
            onReload={onReload}
          />
        </PanelSection>
        <PanelSection title="Signature Visualization">
          <SignaturePanel
            draftKey={draftKey}
            index={index}
            groupedBy={groupedBy}
            call={calls.signature}
            subsetCells={active.group === null ? null : (active.answer?.cell_count ?? null)}
            datasetCells={analysis.cell_count}
            busy={busy}
            {...images.score}
            onReload={onReload}
          />
        </PanelSection>
        <PanelSection title="Cell Type Visualization">
          {analysis.cell_types.length === 0 ? (
            <ClusterPanel {...isolation} />
          ) : (
            <CellTypePanel
              {...isolation}
              cellTypes={analysis.cell_types.map((name) => ({ name, count: counts.get(name) }))}
              unlabelled={active.answer?.unlabelled_cells ?? analysis.unlabelled_cells}
            />
          )}
        </PanelSection>
      </div>
    </Card>
  );
}
