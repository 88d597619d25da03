import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { AnnotationsPanel } from '@/features/annotations/index.ts';
import { suggestCellTypes } from '@/features/cell-types/index.ts';
import { CellSetsPanel, SetsAtHandProvider } from '@/features/cell-sets/index.ts';
import { prepareComparison } from '@/features/comparisons/index.ts';
import { RunAnalysisPanel } from '@/features/analyses/index.ts';
import { ExportPanel, scoredSignatures } from '@/features/export/index.ts';
import { GeneListsPanel } from '@/features/gene-lists/index.ts';
import { MapStoresContext } from '@/features/map/index.ts';
import { BringLabels, SubclusteringsPanel } from '@/features/subclusterings/index.ts';
import { ManageSubsetsPanel, SubsetChooser } from '@/features/subsets/index.ts';
import { PanelSection } from './panel-section.tsx';
import { CellStatePanel } from './panels/cell-state-panel.tsx';
import { CellTypePanel, ClusterPanel } from './panels/cell-type-panel.tsx';
import { GroupFigurePanel } from './panels/group-figure-panel.tsx';
import { GeneVisualizationPanel } from './panels/gene-visualization-panel.tsx';
import { SignaturePanel } from './panels/signature-panel.tsx';
import { ReplacedDataset } from './replaced-dataset.tsx';
import type { Exploration } from './use-exploration.ts';
import { analysisPanels, explorationPanels } from './panel-titles.ts';

export function ExplorationCard({ exploration }: { exploration: Exploration }) {
  const { analysis, subsets, activeSubset, several, calls, genes, onReload } = exploration;
  const plotting = several.call.isPending || Object.values(calls).some(({ isPending }) => isPending);
  return (
    <Card aria-labelledby="exploration">
      <CardHeader>
        <CardTitle id="exploration">Exploration</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3 pb-3">
        {exploration.isReplaced && (
          <ReplacedDataset
            text="The dataset has been replaced since you opened it. Your choices and images are kept."
            onReload={onReload}
          />
        )}
        <SubsetChooser
          subsets={subsets}
          activeSubset={activeSubset}
          version={analysis.version}
          datasetCells={analysis.cell_count}
          datasetUnlabelled={analysis.unlabelled_cells}
          disabled={plotting}
          onReload={onReload}
        />
      </CardContent>
      <div className="border-t">
        <PanelSection title="Gene Visualization" defaultOpen revealed={genes.revealed}>
          <GeneVisualizationPanel exploration={exploration} />
        </PanelSection>
        <PanelSection title={explorationPanels.cellStates}>
          <CellStatePanel exploration={exploration} />
        </PanelSection>
        <PanelSection title={explorationPanels.signatures}>
          <SignaturePanel exploration={exploration} />
        </PanelSection>
        <PanelSection title={explorationPanels.cellTypes}>
          {analysis.cell_types.length === 0 ? (
            <ClusterPanel exploration={exploration} />
          ) : (
            <CellTypePanel exploration={exploration} />
          )}
        </PanelSection>
        <PanelSection title={explorationPanels.groups}>
          <GroupFigurePanel exploration={exploration} />
        </PanelSection>
        <PanelSection title={explorationPanels.geneLists}>
          <GeneListsPanel index={exploration.index} onSendGenes={exploration.showGenes} />
        </PanelSection>
      </div>
    </Card>
  );
}

interface AnalysisCardProps {
  exploration: Exploration;
  filename: string;
}

export function AnalysisCard({ exploration, filename }: AnalysisCardProps) {
  const { draftKey, analysis, index, subsets, activeSubset, runs, genes, onReload } = exploration;
  return (
    <Card aria-labelledby="analysis">
      <CardHeader>
        <CardTitle id="analysis">Analysis</CardTitle>
      </CardHeader>
      <div className="border-t">
        <PanelSection title={analysisPanels.subsets}>
          <ManageSubsetsPanel
            draftKey={draftKey}
            analysis={analysis}
            index={index}
            subsets={subsets}
            activeSubset={activeSubset}
            onPlotGenes={genes.toSearch}
            onChooseSubsets={exploration.several.onChange}
          />
        </PanelSection>
        <SetsAtHandProvider
          filename={filename}
          subsets={subsets}
          activeSubset={activeSubset}
          maps={exploration.mapStores(filename)}
          version={analysis.version}
          cellCount={analysis.cell_count}
        >
          <PanelSection title={analysisPanels.subclustering}>
            <SubclusteringsPanel
              filename={filename}
              name={exploration.name}
              analysis={analysis}
              activeSubset={activeSubset}
              maps={exploration.mapStores(filename)}
            />
          </PanelSection>
          <PanelSection title={analysisPanels.cellSets}>
            <CellSetsPanel
              draftKey={draftKey}
              dataset={{ filename, version: analysis.version }}
              subsets={subsets}
              activeSubset={activeSubset}
              maps={exploration.mapStores(filename)}
              cellCount={analysis.cell_count}
              onCompare={(a, b) => prepareComparison(runs, a, b)}
            />
          </PanelSection>
          <PanelSection title={analysisPanels.annotations}>
            <AnnotationsPanel
              atHand={exploration.annotation}
              filename={filename}
              version={analysis.version}
              onSuggest={() => suggestCellTypes(runs, analysis)}
            >
              <BringLabels
                filename={filename}
                name={exploration.name}
                version={analysis.version}
                clusters={analysis.columns.leiden_clusters}
              />
            </AnnotationsPanel>
          </PanelSection>
          <PanelSection title={analysisPanels.run} revealed={runs.revealed}>
            <MapStoresContext value={exploration.mapStores}>
              <RunAnalysisPanel
                analysis={analysis}
                runs={runs}
                busy={activeSubset.isApplying}
                onReload={onReload}
              />
            </MapStoresContext>
          </PanelSection>
          <PanelSection title={analysisPanels.exports}>
            <ExportPanel
              signatures={scoredSignatures(exploration.library.generated, filename)}
              datasetName={exploration.name}
              filename={filename}
              analysis={analysis}
              index={index}
              genes={genes.chosen}
              genesPerCall={exploration.genesPerCall}
              activeSubset={activeSubset}
              onReload={onReload}
            />
          </PanelSection>
        </SetsAtHandProvider>
      </div>
    </Card>
  );
}
