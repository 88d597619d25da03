import type { CatalogueDataset, DatasetAnalysis, DatasetMetadata } from '@cellfolio/contract';
import type { ComponentProps } from 'react';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { AiAnalysisDialog, useAiAnalysis } from '@/features/ai/index.ts';
import { ResultsDialog, useAnalysisRuns } from '@/features/analyses/index.ts';
import { assetUrl } from '@/features/catalogue/index.ts';
import { scoredSignatures } from '@/features/export/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { ImageLibraryStrip, MainViewer, useImageLibrary } from '@/features/images/index.ts';
import { CopyLinkButton } from '@/features/links/index.ts';
import { useActiveSubset, useSavedSubsets } from '@/features/subsets/index.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { useAddressView } from './address-view.ts';
import { AnalysisCard } from './analysis-card.tsx';
import { analysisChoices } from './analysis-choices.ts';
import { CurrentDatasetCard } from './current-dataset-card.tsx';
import { ExplorationCard } from './exploration-card.tsx';
import { defaultImage, globalGroup, missingMap, useExplorerImages, groupedByOf } from './explorer-images.ts';
import { LeaveExplorationDialog, useLeaveGuard } from './leave-exploration.tsx';
import { LoadingOverlay, operationsOf } from './loading-overlay.tsx';
import type { CustomFile } from './open-dataset.tsx';
import { useReopenDataset } from './open-dataset.tsx';
import { usePlotCellState } from './panels/cell-state-panel.tsx';
import { usePlotCellTypes } from './panels/cell-type-panel.tsx';
import { usePlotSignature } from './panels/signature-panel.tsx';
import { usePlotUmapWithGenes } from './panels/use-plot-umap-with-genes.ts';
import { useImageOrigins } from './use-image-origins.ts';
import { useSearchShortcut } from './use-search-shortcut.ts';
import { useSubsetPlots } from './use-subset-plots.ts';

interface ExplorerMainProps {
  disease: string;
  filename: string;
  analysis: DatasetAnalysis;
  entry: CatalogueDataset | undefined;
  /** Names the datasets of images; absent where it could not be read. */
  catalogue: DatasetMetadata | undefined;
  /** Set where the dataset is an upload of the user. */
  custom: CustomFile | null;
  /** Address of the default figure where it is not the public one. */
  defaultUrl: string | null;
}

/**
 * The main view: panels on the left; viewer and library on the right, all within one screen. Where zoom leaves less
 * than 640 px of width they stand below each other.
 */
export function ExplorerMain({
  disease,
  filename,
  analysis,
  entry,
  catalogue,
  custom,
  defaultUrl,
}: ExplorerMainProps) {
  const { config } = useServices();
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user : null;
  const draftKey = `${user?.id ?? ''}:${filename}`;
  const name = custom?.name ?? entry?.name ?? filename;

  const subsets = useSavedSubsets(filename, disease);
  const activeSubset = useActiveSubset();
  const { group, answer } = activeSubset.active;
  const groupedBy = groupedByOf(analysis);
  const dataset = { datasetName: filename, diseaseName: disease, version: analysis.version, groupedBy };
  const whole = { ...dataset, subsetGroupName: globalGroup, filter: null, cellCount: analysis.cell_count };
  const scope =
    group === null
      ? whole
      : {
          ...dataset,
          subsetGroupName: group.name,
          filter: group.filter,
          cellCount: answer?.cell_count ?? null,
        };

  const [openedAt] = useState(() => Date.now());
  const standing = useMemo(
    () =>
      defaultImage(
        { datasetName: filename, diseaseName: disease, groupedBy },
        defaultUrl ?? assetUrl(config.analysisUrl, analysis.umap_url),
        openedAt,
        missingMap(analysis),
        analysis.cell_count,
      ),
    [filename, disease, groupedBy, defaultUrl, config.analysisUrl, analysis, openedAt],
  );
  const library = useImageLibrary({ user, defaultImage: standing });
  const originOf = useImageOrigins({
    dataset: { datasetName: filename, diseaseName: disease, name },
    catalogue,
    images: library.images,
    userId: user?.id ?? '',
    subsets,
    activeSubset,
  });
  const images = useExplorerImages(library, scope);
  const several = useSubsetPlots({ whole, saved: subsets.list.data ?? [], take: images.take });
  const index = useMemo(() => indexGenes(analysis.gene_library), [analysis.gene_library]);
  const [genes, setGenes] = useDraft<string[]>(`${draftKey}:genes`, [], readTexts);
  const [revealed, setRevealed] = useState(0);
  const revealGenes = () => setRevealed((times) => times + 1);
  const sendGenes = (sent: readonly string[]) => {
    setGenes((current) => Array.from(new Set([...current, ...sent])));
    revealGenes();
  };
  const search = useRef<HTMLInputElement>(null);
  const toSearch = useSearchShortcut(search, revealGenes);

  const calls = {
    gene: usePlotUmapWithGenes(),
    signature: usePlotSignature(),
    cellState: usePlotCellState(),
    cellType: usePlotCellTypes(),
  };
  const runs = useAnalysisRuns({
    choices: analysisChoices,
    draftKey,
    datasetName: filename,
    title: name,
    version: analysis.version,
    group,
    cells: scope.cellCount,
    subsets: subsets.list.data,
  });
  const reopen = useReopenDataset(filename, activeSubset.applyAgain);
  const guard = useLeaveGuard({
    navigating: library.generated.length > 0 || runs.unkept.length > 0,
    closing: runs.unkept.length > 0 || library.generated.some(({ kept }) => kept !== 'yes'),
  });
  const { draw } = useAddressView({
    scope: whole,
    subsets,
    activeSubset,
    library,
    take: images.take,
    held: guard.leaving,
  });
  const operations = [
    ...operationsOf(calls, several.call, activeSubset),
    ...(runs.running === null ? [] : [runs.running]),
    ...(draw.isPending
      ? [
          {
            title: 'Opening Shared View',
            text: 'Drawing the images that the address names',
            progress: null,
            slow: draw.slow,
            onCancel: draw.cancel,
          },
        ]
      : []),
  ];

  return (
    <TooltipProvider delayDuration={400}>
      <div className="flex h-dvh min-h-140 flex-col max-sm:h-auto [@media(max-height:35rem)]:min-h-220">
        <title>{`${name} · Cellfolio`}</title>
        <AppHeader beforeSignOut={guard.beforeLeaving}>
          <p className="text-muted min-w-0 truncate text-[13px]">
            {disease !== '' && `${disease} / `}
            <span className="text-foreground font-medium">{name}</span>
          </p>
          <div className="ml-auto">
            <CopyLinkButton />
          </div>
          <Button asChild variant="ghost" size="sm">
            <Link to={selectorPath(custom === null ? disease : '')}>Change dataset</Link>
          </Button>
        </AppHeader>
        <main
          id="content"
          tabIndex={-1}
          className="flex min-h-0 flex-1 gap-3 p-3 outline-none max-sm:flex-col"
        >
          <h1 className="sr-only">Explorer</h1>
          <div className="flex w-72 shrink-0 flex-col gap-3 overflow-y-auto max-sm:w-auto lg:w-80 xl:w-92">
            <ExplorationCard
              draftKey={draftKey}
              analysis={analysis}
              index={index}
              genesPerCall={config.limits.genesPerCall}
              genes={genes}
              onGenesChange={setGenes}
              revealed={revealed}
              searchRef={search}
              subsets={subsets}
              activeSubset={activeSubset}
              calls={calls}
              images={images}
              several={several}
              onReload={reopen}
            />
            <AnalysisCard
              draftKey={draftKey}
              datasetName={name}
              genes={genes}
              genesPerCall={config.limits.genesPerCall}
              analysis={analysis}
              index={index}
              subsets={subsets}
              activeSubset={activeSubset}
              runs={runs}
              signatures={scoredSignatures(library.generated, filename)}
              onReload={reopen}
              onPlotGenes={toSearch}
              onChooseSubsets={several.onChange}
            />
            <ErrorBoundary region="The dataset card">
              <CurrentDatasetCard
                disease={disease}
                filename={filename}
                analysis={analysis}
                entry={entry}
                custom={custom}
              />
            </ErrorBoundary>
          </div>
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            <section
              aria-label="Main Viewer"
              className="relative min-h-0 flex-1 max-sm:h-[90vw] max-sm:flex-none"
            >
              <ErrorBoundary region="The viewer">
                <AnalyzedViewer library={library} originOf={originOf} />
              </ErrorBoundary>
              <LoadingOverlay operations={operations} />
            </section>
            <ErrorBoundary region="The image library">
              <ImageLibraryStrip library={library} originOf={originOf} />
            </ErrorBoundary>
          </div>
        </main>
        <ResultsDialog runs={runs} genesPerCall={config.limits.genesPerCall} onSendGenes={sendGenes} />
        <LeaveExplorationDialog images={library.generated} results={runs} guard={guard} />
      </div>
    </TooltipProvider>
  );
}

function selectorPath(disease: string): string {
  return disease === '' ? '/dataset-selector' : `/dataset-selector?${new URLSearchParams({ disease })}`;
}

/** The viewer, each of whose figures can be explained by the AI service where there is one. */
function AnalyzedViewer(props: Pick<ComponentProps<typeof MainViewer>, 'library' | 'originOf'>) {
  const analysis = useAiAnalysis();
  return (
    <>
      <MainViewer {...props} onAnalyze={analysis.offered ? analysis.ask : undefined} />
      <AiAnalysisDialog analysis={analysis} />
    </>
  );
}
