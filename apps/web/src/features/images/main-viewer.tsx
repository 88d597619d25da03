import { rectSortingStrategy } from '@dnd-kit/sortable';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Sortable } from '@/components/sortable.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import {
  type SelectionActions,
  columnListQuery,
  defaultCard,
  MapToolbar,
  SelectionBar,
  useMapState,
  useMapStore,
} from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { useFocusAfter } from '@/lib/use-focus-after.ts';
import { CommonOrderContext, CommonOrderSwitch, useCommonOrderOf } from './common-order.tsx';
import { type CommonScale, CommonScaleContext, CommonScaleSwitch } from './common-scale.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { imageName } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import { isMapOf, type LibraryImage, onKeptCells, type OpenedDataset } from './library-image.ts';
import { OpenedDatasetContext } from './live-figure.tsx';
import type { ImageLibrary } from './use-image-library.ts';
import { ViewerCard } from './viewer-card.tsx';
import { useViewerGrid } from './viewer-grid.ts';
import { viewerSizes } from './viewer-size.ts';

const gridClass = 'grid min-h-0 w-full flex-1 gap-3';

interface MainViewerProps {
  library: ImageLibrary;
  scale: CommonScale;
  originOf: (image: LibraryImage) => ImageOrigin;
  opened: OpenedDataset;
  selectionActions: SelectionActions;
  onKeep: (image: LibraryImage) => Promise<void>;
  onRedraw: (image: LibraryImage) => Promise<void>;
  onAnalyze?: ((image: LibraryImage) => void) | undefined;
}

export function MainViewer({
  library,
  scale,
  originOf,
  opened,
  selectionActions,
  onKeep,
  onRedraw,
  onAnalyze,
}: MainViewerProps) {
  const { viewed, shownOf, inLibrary } = useShownImages(library, opened);
  const [largeId, setLargeId] = useState<string | null>(null);
  const order = useCommonOrderOf(viewed);
  const { attach, style, styleOf, isCompact } = useViewerGrid(
    library.loading ? library.expected : viewed.length,
  );
  // Nothing is drawn in one place first and then in another.
  if (library.loading) {
    return (
      <div aria-hidden className="flex size-full min-h-[inherit] flex-col">
        <div ref={attach} className={gridClass} style={style}>
          {Array.from({ length: library.expected }, (_, place) => (
            <Skeleton key={place} className="rounded-lg" style={styleOf(place)} />
          ))}
        </div>
      </div>
    );
  }
  if (viewed.length === 0) {
    return (
      <div className="text-muted flex size-full flex-col items-center justify-center gap-3 rounded-lg border border-dashed p-6 text-center">
        <p>The viewer is empty. Select an image in the library, or visualize a gene.</p>
        <Button variant="secondary" size="sm" onClick={() => library.show([defaultCard])}>
          Show the default UMAP
        </Button>
      </div>
    );
  }
  return (
    <OpenedDatasetContext value={opened}>
      <CommonScaleContext value={scale.of}>
        <CommonOrderContext value={order.of}>
          <div className="flex size-full min-h-[inherit] flex-col gap-2">
            <ViewerTools images={viewed} opened={opened} actions={selectionActions}>
              {scale.offered && <CommonScaleSwitch scale={scale} />}
              {order.offered && <CommonOrderSwitch order={order} />}
              <ViewerSizeChoice library={library} />
            </ViewerTools>
            <Sortable
              id="main-viewer"
              noun="image"
              items={viewed.map((image) => ({ id: image.id, name: imageName(image) }))}
              strategy={rectSortingStrategy}
              onMove={library.reorder}
            >
              <ul ref={attach} className={gridClass} style={style}>
                {viewed.map((image, place) => (
                  <ViewerCard
                    key={image.id}
                    image={image}
                    style={styleOf(place)}
                    isCompact={isCompact}
                    origin={originOf(image)}
                    movable={viewed.length > 1}
                    onRemove={() => library.remove(image.id)}
                    onOpen={() => setLargeId(image.id)}
                    onKeep={onKeep}
                    onRedraw={(one) => onRedraw(inLibrary(one))}
                    onAnalyze={onAnalyze && (() => onAnalyze(inLibrary(image)))}
                  />
                ))}
              </ul>
            </Sortable>
          </div>
          <ImageDialog
            image={shownOf(largeId)}
            images={viewed}
            originOf={originOf}
            onShow={setLargeId}
            onClose={() => setLargeId(null)}
            onAnalyze={onAnalyze && ((image) => onAnalyze(inLibrary(image)))}
          />
        </CommonOrderContext>
      </CommonScaleContext>
    </OpenedDatasetContext>
  );
}

/** The images as they are shown: maps on the cells that all of them keep. */
function useShownImages({ images, viewed }: ImageLibrary, { filename, version }: OpenedDataset) {
  const keptCells = useMapState(useMapStore(filename), (state) => state.keptCells);
  const shown = useMemo(
    () => viewed.map((image) => onKeptCells(image, keptCells, { filename, version })),
    [viewed, keptCells, filename, version],
  );
  const imageOf = (id: string | null) => images.find((one) => one.id === id);
  const shownOf = (id: string | null): LibraryImage | null => {
    const image = imageOf(id);
    return image
      ? (shown.find((one) => one.id === id) ?? onKeptCells(image, keptCells, { filename, version }))
      : null;
  };
  // The picture that is analysed, or drawn again, is the one in the library.
  return { viewed: shown, shownOf, inLibrary: (image: LibraryImage) => imageOf(image.id) ?? image };
}

interface ViewerToolsProps {
  images: readonly LibraryImage[];
  opened: OpenedDataset;
  actions: SelectionActions;
  children: ReactNode;
}

function ViewerTools({ images, opened, actions, children }: ViewerToolsProps) {
  const { api } = useServices();
  const store = useMapStore(opened.filename);
  const live = images.some((image) => isMapOf(image, opened));
  const list = useQuery({ ...columnListQuery(api, opened), enabled: live }).data;
  const bar = useMapState(store, ({ selection, keptCells }) =>
    selection !== null ? 'selection' : keptCells !== null ? 'kept' : '',
  );
  // A button may go away with its bar: of the selection, or of the cells that are kept.
  const tools = useFocusAfter(bar);
  if (!live) return <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1">{children}</div>;
  return (
    <div
      ref={tools}
      tabIndex={-1}
      className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 outline-none"
    >
      <MapToolbar store={store} list={list} />
      {children}
      {list !== undefined && <SelectionBar dataset={opened} list={list} store={store} actions={actions} />}
    </div>
  );
}

function ViewerSizeChoice({ library }: { library: ImageLibrary }) {
  return (
    <Select value={String(library.size)} onValueChange={(size) => library.resize(Number(size))}>
      <SelectTrigger
        data-size="sm"
        aria-label="Maximum number of images"
        title="Maximum number of images in the viewer"
        className="ml-auto h-7! w-auto gap-1! px-2! text-xs!"
      >
        <SelectValue>
          Up to {library.size}
          <span className="max-xl:hidden"> images</span>
        </SelectValue>
      </SelectTrigger>
      <SelectContent>
        {viewerSizes.map((size) => (
          <SelectItem key={size} value={String(size)}>
            {`Up to ${size} images`}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
