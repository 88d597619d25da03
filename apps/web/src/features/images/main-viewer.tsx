import { rectSortingStrategy, useSortable } from '@dnd-kit/sortable';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical, ImagePlus, Maximize2, Sparkles, X, BookOpenText } from 'lucide-react';
import { Sortable } from '@/components/sortable.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import {
  type MapStore,
  type SelectionActions,
  columnListQuery,
  MapToolbar,
  SelectionBar,
  useMapState,
  useMapStore,
} from '@/features/map/index.ts';
import { cn } from '@/lib/cn.ts';
import { useServices } from '@/lib/services.ts';
import { Spinner } from '@/components/ui/spinner.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import type { FigureWords } from '@/lib/figure-words.ts';
import { FigureReading } from '@/components/figure-reading.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { CommonOrderContext, CommonOrderSwitch, useCommonOrderOf } from './common-order.tsx';
import { type CommonScale, CommonScaleContext, CommonScaleSwitch } from './common-scale.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { imageName, subsetLabel, subsetLetters } from './image-name.ts';
import { type ImageOrigin, EarlierVersionLine, ImageOriginLine } from './image-origin.tsx';
import { isMapOf, type LibraryImage, onKeptCells, type OpenedDataset } from './library-image.ts';
import { OpenedDatasetContext, LiveFigure, useLiveVersion } from './live-figure.tsx';
import type { ImageLibrary } from './use-image-library.ts';
import { DownloadMenu } from './download-menu.tsx';
import { useSeenImage } from './seen-image.ts';

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
  const tools = useFocusAfterBar(store);
  // One or both of the switches.
  if (!live)
    return (
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 empty:hidden">{children}</div>
    );
  return (
    <div
      ref={tools}
      tabIndex={-1}
      className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 outline-none"
    >
      <MapToolbar store={store} list={list} />
      {children}
      {list !== undefined && <SelectionBar dataset={opened} list={list} store={store} actions={actions} />}
    </div>
  );
}

/** Takes the focus of a button that went away with its bar: of the selection, or of the cells that are kept. */
function useFocusAfterBar(store: MapStore): RefObject<HTMLDivElement | null> {
  const tools = useRef<HTMLDivElement>(null);
  const bar = useMapState(store, ({ selection, keptCells }) =>
    selection !== null ? 'selection' : keptCells !== null ? 'kept' : '',
  );
  const before = useRef(bar);
  useEffect(() => {
    const isReplaced = before.current !== '' && before.current !== bar;
    before.current = bar;
    if (isReplaced && document.activeElement === document.body) tools.current?.focus({ preventScroll: true });
  }, [bar]);
  return tools;
}

interface ViewerCardProps {
  image: LibraryImage;
  origin: ImageOrigin;
  movable: boolean;
  onRemove: () => void;
  onOpen: () => void;
  onKeep: (image: LibraryImage) => Promise<void>;
  onRedraw: (image: LibraryImage) => Promise<void>;
  onAnalyze: (() => void) | undefined;
}

/** Draggable anywhere by mouse or touch, by its handle with the keyboard. */
function ViewerCard({
  image,
  origin,
  movable,
  onRemove,
  onOpen,
  onKeep,
  onRedraw,
  onAnalyze,
}: ViewerCardProps) {
  const shown = useSeenImage(image);
  const name = imageName(shown.image, origin);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: image.id,
      disabled: !movable,
      transition: { duration: 180, easing: 'ease-out' },
      attributes: { roleDescription: 'movable image' },
    });
  const { onKeyDown, ...pointers } = listeners ?? {};
  const isLive = useLiveVersion(image) !== undefined;
  const [words, setWords] = useState<FigureWords>();
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => {
    // Not every browser focuses a clicked button, to which the dialog returns the focus.
    opener.current?.focus();
    onOpen();
  };
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'bg-surface shadow-card @container flex min-h-0 min-w-0 touch-manipulation flex-col overflow-hidden rounded-lg border',
        isDragging ? 'border-accent z-10 shadow-lg' : 'animate-appear',
      )}
      {...pointers}
    >
      {/* Beside the whole of a title buttons have room in a wide card only: in a narrow one, as of two at 1024 px, they
          stand beside its cells, and in one of four at 200 % zoom below them. */}
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-1 p-1">
        {movable ? (
          <button
            ref={setActivatorNodeRef}
            type="button"
            {...attributes}
            aria-label={`Move ${name}`}
            onKeyDown={onKeyDown as React.KeyboardEventHandler | undefined}
            className="text-muted hover:bg-surface-2 col-start-1 row-start-1 row-end-3 flex h-7 w-5 cursor-grab items-center justify-center rounded-md @max-[24rem]:row-end-2 @max-[24rem]:h-6"
          >
            <GripVertical aria-hidden className="size-4" />
          </button>
        ) : (
          <span className="w-2" />
        )}
        <h3 className="col-start-2 row-start-1 flex min-w-0 items-baseline gap-2 text-[13px] leading-4 @max-[24rem]:col-end-4">
          <MiddleTruncated text={shown.image.title} className="max-w-2/3 shrink-0 font-medium" />
          <MiddleTruncated
            text={[shown.image.subtitle, subsetLabel(image)].filter((part) => part !== '').join(' · ')}
            endLength={subsetLetters}
            className="text-muted text-xs"
          />
        </h3>
        <ImageOriginLine origin={origin} className="col-start-2 row-start-2 @max-[16rem]:col-end-4" />
        <CardTools
          seen={shown}
          name={name}
          words={words}
          opener={opener}
          onRemove={onRemove}
          onOpen={open}
          onKeep={onKeep}
          onAnalyze={onAnalyze}
        />
      </div>
      {origin.earlier !== null && (
        <EarlierVersionLine
          earlier={origin.earlier}
          name={name}
          onRedraw={() => onRedraw(image)}
          className="px-2 pb-1"
        />
      )}
      <div className="relative min-h-0 flex-1">
        <LiveFigure image={image} alt={name} onWords={setWords} />
        {!isLive && (
          <button
            type="button"
            aria-hidden
            tabIndex={-1}
            className="absolute inset-0 cursor-zoom-in -outline-offset-2"
            onClick={open}
          />
        )}
      </div>
    </li>
  );
}

interface CardToolsProps extends Pick<ViewerCardProps, 'onRemove' | 'onOpen' | 'onKeep' | 'onAnalyze'> {
  seen: ReturnType<typeof useSeenImage>;
  name: string;
  words: FigureWords | undefined;
  opener: RefObject<HTMLButtonElement | null>;
}

function CardTools({ seen, name, words, opener, onRemove, onOpen, onKeep, onAnalyze }: CardToolsProps) {
  return (
    <div className="col-start-3 col-end-4 row-start-1 row-end-3 flex items-center justify-self-end @max-[16rem]:col-start-1 @max-[16rem]:row-start-3 @max-[16rem]:row-end-4 @min-[16rem]:@max-[24rem]:row-start-2 @min-[28rem]:gap-1">
      {seen.isChanged && <KeepButton image={seen.image} name={name} onKeep={onKeep} />}
      {words !== undefined && <ReadingButton words={words} name={name} />}
      {onAnalyze !== undefined && (
        <Tooltip label="AI analysis">
          <Button variant="ghost" size="icon-sm" aria-label={`AI analysis of ${name}`} onClick={onAnalyze}>
            <Sparkles aria-hidden />
          </Button>
        </Tooltip>
      )}
      <Tooltip label="Open large">
        <Button
          ref={opener}
          variant="ghost"
          size="icon-sm"
          aria-label={`Open ${name} large`}
          onClick={onOpen}
        >
          <Maximize2 aria-hidden />
        </Button>
      </Tooltip>
      <DownloadMenu image={seen.image} seen={seen} iconOf={name} />
      <Tooltip label="Hide from viewer">
        <Button variant="ghost" size="icon-sm" aria-label={`Hide ${name} from viewer`} onClick={onRemove}>
          <X aria-hidden />
        </Button>
      </Tooltip>
    </div>
  );
}

function KeepButton({
  image,
  name,
  onKeep,
}: { image: LibraryImage; name: string } & Pick<ViewerCardProps, 'onKeep'>) {
  const [pending, setPending] = useState(false);
  return (
    <Tooltip label="Add to the library">
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Add ${name} to the library`}
        disabled={pending}
        onClick={() => {
          setPending(true);
          void onKeep(image).finally(() => setPending(false));
        }}
      >
        {pending ? <Spinner /> : <ImagePlus aria-hidden />}
      </Button>
    </Tooltip>
  );
}

/** Opens the figure's description. Has a `title`, since a tooltip would reopen when focus returns. */
function ReadingButton({ words, name }: { words: FigureWords; name: string }) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={`Describe ${name}`} title="Describe the figure">
          <BookOpenText aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={`Description of ${name}`}
        // What is selected here does not move the card.
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        className="max-h-(--radix-popover-content-available-height) w-[min(26rem,calc(100vw-2rem))] overflow-y-auto p-3"
      >
        <FigureReading words={words} className="flex-col items-stretch gap-2 [&>button]:self-end" />
      </PopoverContent>
    </Popover>
  );
}
