import {
  Activity,
  ChartColumn,
  Combine,
  Dna,
  FileDown,
  Filter,
  FlaskConical,
  ListTree,
  Network,
  Shapes,
  Sigma,
  Tags,
} from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { flushSync } from 'react-dom';
import { cellTypes } from '@cellfolio/analyses';
import type { Caution, PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import { AskCard } from '@/features/ask/index.ts';
import { AnnotationsPanel } from '@/features/annotations/index.ts';
import { CellSetsPanel, SetsAtHandProvider } from '@/features/cell-sets/index.ts';
import { prepareComparison } from './use-selection-actions.tsx';
import { RunAnalysisPanel } from '@/features/analyses/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { ExportPanel } from '@/features/export/export-panel.tsx';
import { scoredSignatures } from '@/features/export/score-fields.tsx';
import { ExampleQuestions } from '@/features/first-steps/index.ts';
import { GeneListsPanel, GenePicker } from '@/features/gene-lists/index.ts';
import { MapStoresContext } from '@/features/map/index.ts';
import { BringLabels, SubclusteringsPanel } from '@/features/subclusterings/index.ts';
import { ManageSubsetsPanel, SubsetChooser } from '@/features/subsets/index.ts';
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
import { useAskHost } from './use-ask-host.ts';
import type { Exploration } from './use-exploration.ts';
import { type ExplorerPanel, FoldPanelsButton, PanelCard, PanelRail, usePanels } from './panel-cards.tsx';
import { analysisPanels, explorationPanels, genePanel } from './panel-titles.ts';
import { type FoundGenes, generatedText, RunResult, ViolinOption } from './panels/run-outcome.tsx';

const titles = { genes: genePanel, ...explorationPanels, ...analysisPanels };

/** The left column: exploration, analysis and the dataset, or a rail of icons where it is folded. */
export function ExplorerColumn({ exploration, filename, children }: ExplorerColumnProps) {
  const state = usePanels(titles.genes);
  const ask = useAskHost(exploration);
  const toExplore = explorationContents(exploration);
  const toAnalyse = analysisContents(exploration, filename);
  return (
    <>
      {state.isFolded && <PanelRail panels={[...toExplore, ...toAnalyse]} state={state} />}
      <div
        // Hidden, not unmounted: input stays.
        hidden={state.isFolded}
        className="relative flex w-72 shrink-0 flex-col gap-2 overflow-y-auto max-sm:w-auto lg:w-80 xl:w-92 [&[hidden]]:hidden"
      >
        <AskCard host={ask} onReveal={() => flushSync(() => state.fold(false))} />
        <PanelCard
          title="Exploration"
          panels={toExplore}
          state={state}
          actions={<FoldPanelsButton onFold={() => state.fold(true)} />}
        >
          <ActiveCells exploration={exploration} />
        </PanelCard>
        <SetsAtHandProvider
          filename={filename}
          subsets={exploration.subsets}
          activeSubset={exploration.activeSubset}
          maps={exploration.mapStores(filename)}
          version={exploration.analysis.version}
          cellCount={exploration.analysis.cell_count}
        >
          <PanelCard title="Analysis" panels={toAnalyse} state={state} />
        </SetsAtHandProvider>
        {children}
      </div>
    </>
  );
}

interface ExplorerColumnProps {
  exploration: Exploration;
  filename: string;
  /** Below the panels. */
  children: ReactNode;
}

function ActiveCells({ exploration }: { exploration: Exploration }) {
  const { analysis, subsets, activeSubset, several, calls, onReload } = exploration;
  const plotting = several.call.isPending || Object.values(calls).some(({ isPending }) => isPending);
  return (
    <div className="flex flex-col gap-2 px-3 pb-2">
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
    </div>
  );
}

function explorationContents(exploration: Exploration): ExplorerPanel[] {
  const { analysis } = exploration;
  return [
    { title: titles.genes, icon: Dna, content: <GeneVisualizationPanel exploration={exploration} /> },
    { title: titles.cellStates, icon: Activity, content: <CellStatePanel exploration={exploration} /> },
    { title: titles.signatures, icon: Sigma, content: <SignaturePanel exploration={exploration} /> },
    {
      title: titles.cellTypes,
      icon: Shapes,
      content:
        analysis.cell_types.length === 0 ? (
          <ClusterPanel exploration={exploration} />
        ) : (
          <CellTypePanel exploration={exploration} />
        ),
    },
    { title: titles.groups, icon: ChartColumn, content: <GroupFigurePanel exploration={exploration} /> },
    {
      title: titles.geneLists,
      icon: ListTree,
      content: <GeneListsPanel index={exploration.index} onSendGenes={exploration.showGenes} />,
    },
  ];
}

function analysisContents(exploration: Exploration, filename: string): ExplorerPanel[] {
  const { draftKey, analysis, index, subsets, activeSubset, runs, genes, onReload } = exploration;
  const maps = exploration.mapStores(filename);
  return [
    {
      title: titles.run,
      icon: FlaskConical,
      tour: 'analysis',
      content: (
        <MapStoresContext value={exploration.mapStores}>
          <RunAnalysisPanel {...{ analysis, runs, onReload }} busy={activeSubset.isApplying}>
            <ExampleQuestions dataset={analysis} runs={runs} onGenes={exploration.showGenes} />
          </RunAnalysisPanel>
        </MapStoresContext>
      ),
    },
    {
      title: titles.subsets,
      icon: Filter,
      content: (
        <ManageSubsetsPanel
          draftKey={draftKey}
          analysis={analysis}
          index={index}
          subsets={subsets}
          activeSubset={activeSubset}
          onPlotGenes={genes.toSearch}
          onChooseSubsets={exploration.several.onChange}
        />
      ),
    },
    {
      title: titles.annotations,
      icon: Tags,
      content: (
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
      ),
    },
    {
      title: titles.subclustering,
      icon: Network,
      content: (
        <SubclusteringsPanel
          filename={filename}
          name={exploration.name}
          analysis={analysis}
          activeSubset={activeSubset}
          maps={maps}
        />
      ),
    },
    {
      title: titles.cellSets,
      icon: Combine,
      content: (
        <CellSetsPanel
          draftKey={draftKey}
          dataset={{ filename, version: analysis.version }}
          subsets={subsets}
          activeSubset={activeSubset}
          maps={maps}
          cellCount={analysis.cell_count}
          onCompare={(a, b) => prepareComparison(runs, a, b)}
        />
      ),
    },
    {
      title: titles.exports,
      icon: FileDown,
      content: (
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
      ),
    },
  ];
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
