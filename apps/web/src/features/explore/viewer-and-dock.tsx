import { Maximize2, Minimize2, PanelBottom, PanelRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels';
import { Button } from '@/components/ui/button.tsx';
import { type AnalysisRuns, ResultsDock, tabName } from '@/features/analyses/index.ts';
import { MapStoresContext, useMapState } from '@/features/map/index.ts';
import { cn } from '@/lib/cn.ts';
import { useMediaQuery } from '@/lib/use-browser.ts';
import { type DockPlace, useDockPlace } from './dock-place.ts';
import { onReveal } from './panel-reveals.ts';
import type { Exploration } from './use-exploration.ts';
import { useGenesOnMap } from './use-genes-on-map.ts';

interface ViewerAndDockProps {
  exploration: Exploration;
  library: ReactNode;
  /** The viewer. */
  children: ReactNode;
}

/** Smallest sizes in CSS pixels at which a map, and a table, can still be used. */
const smallest = { beside: { viewer: 300, results: 340 }, below: { viewer: 340, results: 200 } };

/** Panels as high as their content: the page scrolls, over the inline styles of the library. */
const stackedGroup = cn(
  'h-auto! flex-none touch-auto! gap-3',
  '[&>[data-panel]]:max-h-none! [&>[data-panel]]:flex-none!',
);

/** The right part of the explorer: viewer and library, and beside or below them the open results. */
export function ViewerAndDock({ exploration, library, children }: ViewerAndDockProps) {
  const { runs } = exploration;
  const isOpen = runs.activeTab !== undefined;
  const isStacked = useMediaQuery('(width < 40rem)');
  const { place, size, setPlace, setSize } = useDockPlace();
  const [isFull, setFull] = useFullScreen(isOpen);
  const results = usePanelRef();
  const shownPlace = useRef(place);
  useEffect(() => {
    if (shownPlace.current === place) return;
    shownPlace.current = place;
    results.current?.resize(`${size}%`);
  }, [results, place, size]);
  const isBelow = isOpen && !isStacked && place === 'below';
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {announcement(runs)}
      </p>
      {/* One tree at all widths: maps and results keep their state when zoom stacks them. */}
      <Group
        orientation={!isStacked && place === 'beside' ? 'horizontal' : 'vertical'}
        disabled={isStacked}
        className={cn('min-w-0', isStacked ? stackedGroup : 'flex-1')}
        onLayoutChanged={({ results: share }, { isUserInteraction }) => {
          if (isUserInteraction && share !== undefined) setSize(share);
        }}
      >
        <Panel
          id="viewer"
          minSize={isOpen && !isStacked ? smallest[place].viewer : 0}
          className={cn(isStacked && 'touch-auto!')}
        >
          <div
            className={cn(
              'flex size-full min-w-0 flex-col gap-3',
              isBelow && '[container:viewer/size]',
              isFull && 'invisible',
            )}
          >
            {children}
            <div className={cn('shrink-0', isBelow && 'low-viewer:hidden')}>{library}</div>
          </div>
        </Panel>
        {isOpen && (
          <>
            <Separator
              aria-label="Size of the results"
              className={cn(
                'hover:bg-surface-3 focus-visible:bg-accent data-[separator=active]:bg-accent shrink-0 rounded-full transition-colors',
                place === 'beside' ? 'mx-1 w-1' : 'my-1 h-1',
                isFull && 'invisible',
                isStacked && 'hidden',
              )}
            />
            <Panel
              id="results"
              panelRef={results}
              minSize={isStacked ? 0 : smallest[place].results}
              defaultSize={`${size}%`}
              className={cn(isStacked && 'touch-auto!')}
            >
              <div
                data-dock-full={isFull || undefined}
                className={cn(
                  // Stacked, the explorer is longer than the window.
                  isFull && ['inset-3 z-30', isStacked ? 'fixed' : 'absolute'],
                  !isFull && (isStacked ? 'h-[85dvh] min-h-120' : 'size-full'),
                )}
              >
                <OpenResults
                  exploration={exploration}
                  onLeave={() => setFull(false)}
                  tools={
                    <DockTools
                      place={isStacked || isFull ? undefined : place}
                      onPlace={setPlace}
                      isFull={isFull}
                      onFull={setFull}
                    />
                  }
                />
              </div>
            </Panel>
          </>
        )}
      </Group>
    </>
  );
}

function announcement({ activeTab }: AnalysisRuns): string {
  if (activeTab === undefined) return '';
  const name = tabName(activeTab);
  return activeTab.shown === undefined ? `Results: computing ${name}` : `Results: ${name}`;
}

/** Whether the results fill the explorer; Escape ends it, and so does what is shown outside of them. */
function useFullScreen(isOpen: boolean): [boolean, (isFull: boolean) => void] {
  const [isFull, setFull] = useState(false);
  if (isFull && !isOpen) setFull(false);
  useEffect(() => onReveal(() => setFull(false)), []);
  useEffect(() => {
    if (!isFull) return undefined;
    // On the window: menus and dialogs answer on the document, and prevent what else the key would do.
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) setFull(false);
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [isFull]);
  return [isFull, setFull];
}

interface OpenResultsProps {
  exploration: Exploration;
  onLeave: () => void;
  tools: ReactNode;
}

function OpenResults({ exploration, onLeave, tools }: OpenResultsProps) {
  const { runs, maps, mapStores, selectionActions, genesPerCall, showFigure } = exploration;
  const map = useGenesOnMap(exploration);
  const selection = useMapState(maps, (state) => state.selection);
  // The map has its own colours again when the results are closed.
  useEffect(() => () => maps.hideGene(), [maps]);
  return (
    <MapStoresContext value={mapStores}>
      <ResultsDock
        runs={runs}
        genesPerCall={genesPerCall}
        map={map}
        selection={
          selection && {
            cells: selection.count,
            group: () => selectionActions.groupOf(selection),
            onCompare: () => void selectionActions.compare(selection),
          }
        }
        onShow={showFigure}
        onLeave={onLeave}
        tools={tools}
      />
    </MapStoresContext>
  );
}

interface DockToolsProps {
  /** Undefined where there is no choice. */
  place: DockPlace | undefined;
  onPlace: (place: DockPlace) => void;
  isFull: boolean;
  onFull: (isFull: boolean) => void;
}

function DockTools({ place, onPlace, isFull, onFull }: DockToolsProps) {
  const other = place === 'beside' ? 'below' : 'beside';
  const Icon = other === 'below' ? PanelBottom : PanelRight;
  return (
    <>
      {place !== undefined && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Results ${other} the map`}
          title={`Results ${other} the map`}
          onClick={() => onPlace(other)}
        >
          <Icon aria-hidden />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Full screen"
        aria-pressed={isFull}
        title={isFull ? 'Back to the map (Esc)' : 'Full screen'}
        onClick={() => onFull(!isFull)}
      >
        {isFull ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
      </Button>
    </>
  );
}
