import { rectSortingStrategy } from '@dnd-kit/sortable';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Sortable } from '@/components/sortable.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import type { SelectionActions } from '@/features/map/index.ts';
import { columnListQuery, MapToolbar, SelectionBar, useMapState, useMapStore } from '@/features/map/index.ts';
import { cn } from '@/lib/cn.ts';
import { useServices } from '@/lib/services.ts';
import { CommonOrderContext, CommonOrderSwitch, useCommonOrderOf } from './common-order.tsx';
import { type CommonScale, CommonScaleContext, CommonScaleSwitch } from './common-scale.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { imageName } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import { isMapOf, type LibraryImage, onKeptCells, type OpenedDataset } from './library-image.ts';
import { OpenedDatasetContext } from './live-figure.tsx';
import type { ImageLibrary } from './use-image-library.ts';
import { ViewerCard } from './viewer-card.tsx';

const layouts = ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-2 grid-rows-2', 'grid-cols-2 grid-rows-2'];

/** Stacks cards that would be too narrow side by side for a map and its legend, as on a zoomed page. */
const gridOf = (cards: number) =>
  cn(
    'grid min-h-0 w-full flex-1 gap-3 @max-[30rem]:auto-rows-[minmax(16rem,1fr)] @max-[30rem]:grid-cols-1',
    '@max-[30rem]:grid-rows-none @max-[30rem]:overflow-y-auto',
    layouts[cards],
  );

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
  // Nothing is drawn in one place first and then in another.
  if (library.loading) {
    return (
      <div aria-hidden className="@container flex size-full flex-col">
        <div className={gridOf(library.expected)}>
          {Array.from({ length: library.expected }, (_, place) => (
            <Skeleton key={place} className="rounded-lg" />
          ))}
        </div>
      </div>
    );
  }
  if (viewed.length === 0) {
    return (
      <p className="text-muted flex size-full items-center justify-center rounded-lg border border-dashed p-6 text-center">
        The viewer is empty. Select an image in the library, or visualize a gene.
      </p>
    );
  }
  return (
    <OpenedDatasetContext value={opened}>
      <CommonScaleContext value={scale.of}>
        <CommonOrderContext value={order.of}>
          <div className="@container flex size-full flex-col gap-2">
            <ViewerTools images={viewed} opened={opened} actions={selectionActions}>
              {scale.offered && <CommonScaleSwitch scale={scale} />}
              {order.offered && <CommonOrderSwitch order={order} />}
            </ViewerTools>
            <Sortable
              id="main-viewer"
              noun="image"
              items={viewed.map((image) => ({ id: image.id, name: imageName(image) }))}
              strategy={rectSortingStrategy}
              onMove={library.reorder}
            >
              <ul className={gridOf(viewed.length)}>
                {viewed.map((image) => (
                  <ViewerCard
                    key={image.id}
                    image={image}
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
  const kept = useMapState(useMapStore(filename), (state) => state.kept);
  const shown = useMemo(
    () => viewed.map((image) => onKeptCells(image, kept, { filename, version })),
    [viewed, kept, filename, version],
  );
  const imageOf = (id: string | null) => images.find((one) => one.id === id);
  const shownOf = (id: string | null): LibraryImage | null => {
    const image = imageOf(id);
    return image
      ? (shown.find((one) => one.id === id) ?? onKeptCells(image, kept, { filename, version }))
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
  // One or both of the switches.
  if (!live)
    return (
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 empty:hidden">{children}</div>
    );
  return (
    <div className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-3 gap-y-1">
      <MapToolbar store={store} list={list} />
      {children}
      {list !== undefined && <SelectionBar dataset={opened} list={list} store={store} actions={actions} />}
    </div>
  );
}
