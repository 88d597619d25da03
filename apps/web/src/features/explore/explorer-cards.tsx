import { type ReactNode, useEffect, useRef, useState, useId } from 'react';
import { cellTypes } from '@cellfolio/analyses';
import type { Caution, PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { AnnotationsPanel } from '@/features/annotations/index.ts';
import { CellSetsPanel, SetsAtHandProvider } from '@/features/cell-sets/index.ts';
import { prepareComparison } from './use-selection-actions.tsx';
import { RunAnalysisPanel } from '@/features/analyses/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { ExportPanel } from '@/features/export/export-panel.tsx';
import { scoredSignatures } from '@/features/export/score-fields.tsx';
import { GeneListsPanel, GenePicker } from '@/features/gene-lists/index.ts';
import { MapStoresContext } from '@/features/map/index.ts';
import { BringLabels, SubclusteringsPanel } from '@/features/subclusterings/index.ts';
import { ManageSubsetsPanel, SubsetChooser } from '@/features/subsets/index.ts';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { CautionList } from '@/components/caution-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { hasNoRequestedGenes } from '@/lib/call-failure.ts';
import { formatCount } from '@/lib/format.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import { CellStatePanel } from './panels/cell-state-panel.tsx';
import { CellTypePanel, ClusterPanel } from './panels/cell-type-panel.tsx';
import { GroupFigurePanel } from './panels/group-figure-panel.tsx';
import { GeneVisualizationPanel } from './panels/gene-visualization-panel.tsx';
import { ReplacedDataset } from './replaced-dataset.tsx';
import type { Exploration } from './use-exploration.ts';
import { analysisPanels, explorationPanels } from './panel-titles.ts';
import { type FoundGenes, generatedText, RunResult, ViolinOption } from './panels/run-outcome.tsx';

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

export function AnalysisCard({ exploration, filename }: { exploration: Exploration; filename: string }) {
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
              onSuggest={() => runs.prepare(declaredAnalysis(cellTypes), {})}
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

interface PanelSectionProps {
  title: string;
  /** Initial state before the user first toggles it. */
  defaultOpen?: boolean;
  revealed?: number;
  children: ReactNode;
}

const local = () => localStorage;

/**
 * A collapsible panel of the left column that remembers whether it is open. Its content stays mounted while closed: a
 * run continues, and input stays.
 */
function PanelSection({ title, defaultOpen = false, revealed = 0, children }: PanelSectionProps) {
  const key = `cellfolio:panel:${title}`;
  const [open, setOpen] = useState(() => {
    const stored = readStored(local, key);
    return stored === null ? defaultOpen : stored === 'open';
  });
  const [shown, setShown] = useState(revealed);
  if (shown !== revealed) {
    setShown(revealed);
    setOpen(true);
  }
  // A panel that was never opened renders no content.
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  const section = useRef<HTMLDivElement>(null);
  const before = useRef({ open, revealed });
  useEffect(() => {
    const isShown = open && (!before.current.open || before.current.revealed !== revealed);
    before.current = { open, revealed };
    // One that is opened at the lower end of the column would lie below it.
    if (isShown) section.current?.scrollIntoView({ block: 'nearest' });
  }, [open, revealed]);
  return (
    <Collapsible
      ref={section}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        writeStored(local, key, next ? 'open' : 'closed');
      }}
      className="border-t first:border-t-0"
    >
      <h3>
        <CollapsibleTrigger className="rounded-none px-4 py-2 -outline-offset-2">{title}</CollapsibleTrigger>
      </h3>
      {/* Hidden by the attribute: no animation of the height, which would cut off an open list of suggestions. */}
      <CollapsibleContent forceMount hidden={!open} className="animate-none! overflow-visible">
        <div className="px-4 pt-1 pb-4">
          {wasOpen && <ErrorBoundary region={title}>{children}</ErrorBoundary>}
        </div>
      </CollapsibleContent>
    </Collapsible>
  );
}

const maxScoreNameLength = 200;

interface Outcome extends FoundGenes {
  warnings: readonly Caution[];
}

function SignaturePanel({ exploration }: { exploration: Exploration }) {
  const { draftKey, index, groupedBy, analysis, activeSubset, calls, images, onReload } = exploration;
  const id = useId();
  const [genes, setGenes] = useDraft<string[]>(`${draftKey}:signature-genes`, [], readTexts);
  const [name, setName] = useDraft(`${draftKey}:signature-name`, '', readText);
  const [violin, setViolin] = useDraft(`${draftKey}:signature-violin`, false, readFlag);
  const scoreName = name.trim();
  const { group, answer: subset } = activeSubset.active;
  const subsetCells = group === null ? undefined : subset?.cell_count;
  const run = usePlotRun<PlotSignatureRequest, PlotSignatureAnswer, Outcome>({
    call: calls.signature,
    complete: genes.length > 0 && scoreName !== '',
    busy: activeSubset.isApplying,
    failed: 'Failed to score signature. Please try again.',
  });

  const score = () => {
    if (run.disabled) return;
    run.draw(
      { genes, score_name: scoreName, violin_plot: violin },
      (answer) => {
        const { found_genes: foundGenes, not_found_genes: notFound, warnings } = answer;
        run.setOutcome({ genes: foundGenes, notFound, warnings });
        const count = images.score.onGenerated(answer);
        toast.success('Signature Scored Successfully', {
          description: generatedText(count, [answer.score_name]),
        });
      },
      (error) => {
        if (hasNoRequestedGenes(error)) run.setOutcome({ genes: [], notFound: genes, warnings: [] });
      },
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <GenePicker
        index={index}
        label="Signature genes"
        chosenLabel="Selected signature genes"
        genes={genes}
        onChange={setGenes}
        onConfirm={score}
      />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-name`} className="text-[13px]">
          Signature Name
        </Label>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={maxScoreNameLength}
          autoComplete="off"
          placeholder="Cytotoxicity"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {subsetCells !== undefined && (
        <p className="text-muted text-xs">
          {`Scored on the ${formatCount(subsetCells)} active of ${formatCount(analysis.cell_count)} cells, including control genes, as scanpy scores adata[subset]. A signature filter scores all cells, so its scores differ.`}
        </p>
      )}
      <ViolinOption checked={violin} onChange={setViolin} groupedBy={groupedBy} />
      <PlotRunControls
        run={run}
        label={`Score Signature (${genes.length})`}
        working="Scoring..."
        keptNote="Your genes, the name and your images are kept."
        onRun={score}
        onReload={onReload}
      >
        {run.outcome !== null && (
          <>
            <RunResult genes={run.outcome.genes} notFound={run.outcome.notFound} />
            <CautionList cautions={run.outcome.warnings} />
          </>
        )}
      </PlotRunControls>
    </div>
  );
}
