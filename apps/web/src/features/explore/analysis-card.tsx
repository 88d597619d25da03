import type { DatasetAnalysis } from '@cellfolio/contract';
import { Card, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import type { AnalysisRuns } from '@/features/analyses/index.ts';
import { RunAnalysisPanel } from '@/features/analyses/index.ts';
import type { Signature } from '@/features/export/index.ts';
import { ExportCellsPanel } from '@/features/export/index.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import type { ActiveSubset, SavedSubsets } from '@/features/subsets/index.ts';
import { ManageSubsetsPanel } from '@/features/subsets/index.ts';
import { PanelSection } from './panel-section.tsx';

interface AnalysisCardProps {
  draftKey: string;
  /** As the page shows it. */
  datasetName: string;
  /** Chosen in the search of genes. */
  genes: readonly string[];
  genesPerCall: number;
  analysis: DatasetAnalysis;
  index: GeneIndex;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  runs: AnalysisRuns;
  /** That were scored on the dataset. */
  signatures: readonly Signature[];
  onReload: () => Promise<boolean>;
  /** Leads to the search of genes. */
  onPlotGenes: () => void;
  /** Has genes drawn in these subsets. */
  onChooseSubsets: (ids: readonly string[]) => void;
}

/** The Analysis card: groups of cells, and what can be computed on them. */
export function AnalysisCard({
  draftKey,
  datasetName,
  genes,
  genesPerCall,
  analysis,
  index,
  subsets,
  activeSubset,
  runs,
  signatures,
  onReload,
  onPlotGenes,
  onChooseSubsets,
}: AnalysisCardProps) {
  return (
    <Card aria-labelledby="analysis">
      <CardHeader>
        <CardTitle id="analysis">Analysis</CardTitle>
      </CardHeader>
      <div className="border-t">
        <PanelSection title="Manage Cell Subsets">
          <ManageSubsetsPanel
            draftKey={draftKey}
            analysis={analysis}
            index={index}
            subsets={subsets}
            activeSubset={activeSubset}
            onPlotGenes={onPlotGenes}
            onChooseSubsets={onChooseSubsets}
          />
        </PanelSection>
        <PanelSection title="Run Analysis" revealed={runs.revealed}>
          <RunAnalysisPanel
            analysis={analysis}
            runs={runs}
            busy={activeSubset.isApplying}
            onReload={onReload}
          />
        </PanelSection>
        <PanelSection title="Export Cells">
          <ExportCellsPanel
            signatures={signatures}
            datasetName={datasetName}
            analysis={analysis}
            index={index}
            genes={genes}
            genesPerCall={genesPerCall}
            activeSubset={activeSubset}
            onReload={onReload}
          />
        </PanelSection>
      </div>
    </Card>
  );
}
