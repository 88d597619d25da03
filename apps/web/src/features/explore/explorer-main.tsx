import type { ComponentProps } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { TriangleAlert, X } from 'lucide-react';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { AiAnalysisDialog } from '@/features/ai/ai-analysis-dialog.tsx';
import { useAiAnalysis } from '@/features/ai/use-ai-analysis.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { EmbedButton } from '@/features/embed/index.ts';
import { ExplorerTour, useTour } from '@/features/first-steps/index.ts';
import { ImageLibraryStrip, MainViewer } from '@/features/images/index.ts';
import { LiveMaps } from '@/features/map/index.ts';
import { ParentCrumb } from '@/features/subclusterings/index.ts';
import { CopyLinkButton } from '@/features/links/copy-link-button.tsx';
import { SimulatedBadge } from '@/features/catalogue/index.ts';
import { Alert } from '@/components/ui/alert.tsx';
import { CurrentDatasetCard } from './current-dataset-card.tsx';
import { useExplorerCommands } from './explorer-commands.ts';
import { ExplorerColumn } from './explorer-cards.tsx';
import { LeaveExplorationDialog } from './leave-exploration.tsx';
import { LoadingOverlay, operationsOf } from './loading-overlay.tsx';
import { revealViewer } from './panel-reveals.ts';
import { useReplacedNotice } from './replaced-dataset.tsx';
import { ViewerAndDock } from './viewer-and-dock.tsx';
import { type Exploration, type OpenedDataset, useExploration } from './use-exploration.ts';
import type { LackingCard } from './use-opened-address.ts';

/**
 * The main view: panels on the left; viewer and library on the right, all within one screen. When zoom leaves less than
 * 640 px of width, they are stacked.
 */
export function ExplorerMain(opened: OpenedDataset) {
  const { disease, filename, analysis, entry, custom } = opened;
  const exploration = useExploration(opened);
  useExplorerCommands(exploration);
  useReplacedNotice(exploration.isReplaced, exploration.onReload);
  const categoryNames = useCategoryNames(filename);
  const tour = useTour();
  const {
    name,
    library,
    originOf,
    runs,
    guard,
    mapStores,
    selectionActions,
    keepFigure,
    redraw,
    leftOut,
    address,
    labels,
    lacking,
    scale,
  } = exploration;
  return (
    <TooltipProvider delayDuration={400}>
      <div className="flex h-dvh min-h-140 flex-col max-sm:h-auto [@media(max-height:35rem)]:min-h-236">
        <title>{`${name} · Cellfolio`}</title>
        <ExplorerHeader
          {...{ disease, filename, name, guard, leftOut, address, labels }}
          onTour={() => {
            // It points at controls that a full-screen result covers.
            flushSync(revealViewer);
            tour.start();
          }}
          isCustom={custom !== null}
          isSimulated={analysis.simulated === true}
        />
        <main
          id="content"
          tabIndex={-1}
          className="group/main relative flex min-h-0 flex-1 gap-3 p-3 outline-none max-sm:flex-col"
        >
          <h1 className="sr-only">Explorer</h1>
          <div className="contents group-has-data-dock-full/main:invisible">
            <ExplorerColumn exploration={exploration} filename={filename}>
              <ErrorBoundary region="The dataset card">
                <CurrentDatasetCard
                  disease={disease}
                  filename={filename}
                  analysis={analysis}
                  entry={entry}
                  custom={custom}
                  isReplaced={exploration.isReplaced}
                  onReload={exploration.onReload}
                  isShort
                />
              </ErrorBoundary>
            </ExplorerColumn>
          </div>
          <ViewerAndDock
            exploration={exploration}
            library={
              <ErrorBoundary region="The image library">
                <ImageLibraryStrip library={library} originOf={originOf} onRedraw={redraw} />
              </ErrorBoundary>
            }
          >
            {lacking.cards.length > 0 && <LackingCards {...lacking} />}
            <section
              aria-label="Main Viewer"
              className="relative min-h-0 flex-1 max-sm:min-h-[90vw] max-sm:flex-none"
            >
              <ErrorBoundary region="The viewer">
                <LiveMaps stores={mapStores}>
                  <AnalyzedViewer
                    library={library}
                    scale={scale}
                    originOf={originOf}
                    opened={{ filename, version: analysis.version }}
                    selectionActions={selectionActions}
                    onKeep={keepFigure}
                    onRedraw={redraw}
                  />
                </LiveMaps>
              </ErrorBoundary>
              <LoadingOverlay operations={operationsOf(exploration, categoryNames)} />
            </section>
          </ViewerAndDock>
        </main>
        <ExplorerTour tour={tour} />
        <LeaveExplorationDialog images={library.generated} results={runs} guard={guard} />
      </div>
    </TooltipProvider>
  );
}

interface ExplorerHeaderProps extends Pick<
  Exploration,
  'filename' | 'name' | 'guard' | 'leftOut' | 'address' | 'labels'
> {
  disease: string;
  isCustom: boolean;
  isSimulated: boolean;
  onTour: () => void;
}

function ExplorerHeader(props: ExplorerHeaderProps) {
  const { disease, filename, name, guard, leftOut, address, labels, isCustom, isSimulated } = props;
  return (
    <AppHeader
      beforeSignOut={guard.beforeLeaving}
      findsInNewTab
      onTour={props.onTour}
      actions={
        <div className="flex shrink-0 items-center gap-4">
          <CopyLinkButton leftOut={leftOut} labels={labels} address={address} />
          {!isCustom && <EmbedButton name={name} address={address} labels={labels} />}
          <Button asChild variant="ghost" size="sm" className="max-xl:hidden">
            <Link to="/upload-data">Upload Data</Link>
          </Button>
          <Button asChild variant="ghost" size="sm">
            <Link to={selectorPath(!isCustom ? disease : '')}>Change dataset</Link>
          </Button>
        </div>
      }
    >
      <p className="text-muted min-w-0 truncate text-[13px]">
        {!isCustom ? (
          disease !== '' && `${disease} / `
        ) : (
          <ParentCrumb filename={filename} otherwise={disease} />
        )}
        <span className="text-foreground font-medium">{name}</span>
      </p>
      {isSimulated && <SimulatedBadge />}
    </AppHeader>
  );
}

function selectorPath(disease: string): string {
  return disease === '' ? '/dataset-selector' : `/dataset-selector?${new URLSearchParams({ disease })}`;
}

function AnalyzedViewer(props: Omit<ComponentProps<typeof MainViewer>, 'onAnalyze'>) {
  const analysis = useAiAnalysis();
  return (
    <>
      <MainViewer {...props} onAnalyze={analysis.offered ? analysis.ask : undefined} />
      <AiAnalysisDialog analysis={analysis} />
    </>
  );
}

/** Says of each card of an opened address that is not shown as its author saw it why, until it is closed. */
function LackingCards({ cards, close }: { cards: readonly LackingCard[]; close: () => void }) {
  return (
    <Alert
      variant="warning"
      role="alert"
      aria-label="Cards missing from this view"
      className="max-h-32 shrink-0 overflow-y-auto"
    >
      <TriangleAlert aria-hidden />
      <ul className="min-w-0 flex-1 space-y-1">
        {cards.map(({ name, drawn, reason }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-medium">{name}</span>
            {drawn ? ' is shown without its colors or split. ' : ' is not drawn. '}
            {reason}
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="icon-sm" className="-my-1 -mr-1" aria-label="Close" onClick={close}>
        <X aria-hidden />
      </Button>
    </Alert>
  );
}
