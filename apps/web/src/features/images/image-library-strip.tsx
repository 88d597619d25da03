import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, CloudOff, Trash2 } from 'lucide-react';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import { plural } from '@/lib/format.ts';
import { useStored } from '@/lib/use-stored.ts';
import { tourAnchor } from '@/lib/tour-anchor.ts';
import { useNow } from '@/lib/use-time.ts';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { imageAge, imageName, subsetLabel, subsetLetters } from './image-name.ts';
import { type ImageOrigin, RedrawButton, SubsetChangeBadge } from './image-origin.tsx';
import {
  type LibraryImage,
  cardsThatFit,
  imagesPerPage,
  maxGenerated,
  pageCount,
  sameDataset,
  useImageTitle,
} from './library-image.ts';
import type { ImageLibrary, Listing } from './use-image-library.ts';
import { DownloadMenu } from './download-menu.tsx';
import { LibraryFigure } from './library-figure.tsx';

interface ImageLibraryStripProps {
  library: ImageLibrary;
  originOf: (image: LibraryImage) => ImageOrigin;
  onRedraw: (image: LibraryImage) => Promise<void>;
}

export function ImageLibraryStrip({ library, originOf, onRedraw }: ImageLibraryStripProps) {
  const { listed, viewer } = library;
  const now = useNow(60_000);
  const [list, fit] = useCardsThatFit();
  const [isFolded, storeFolded] = useStored('cellfolio:library-folded', (stored) => stored === 'yes');
  const pages = pageCount(listed.length, fit);
  const page = Math.min(library.page, pages - 1);
  const shown = listed.slice(page * imagesPerPage, page * imagesPerPage + fit);
  // Few images have the room of those that are not there.
  const columns = library.loading ? fit : Math.min(fit, Math.max(imagesPerPage, shown.length));
  return (
    <section
      aria-labelledby="image-library"
      className={cn(
        'bg-surface shadow-card @container shrink-0 rounded-lg border px-3 pt-2',
        isFolded ? 'pb-1' : 'pb-3',
      )}
    >
      <div className="flex h-8 items-center gap-2 pb-1">
        <h2 id="image-library" {...tourAnchor('library')} className="text-sm font-semibold">
          Image Library
        </h2>
        <LibraryState library={library} />
        <ListingChoice library={library} />
        {pages > 1 && !isFolded && (
          <nav aria-label="Pages of the image library" className="flex items-center gap-1">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Previous page"
              disabled={page === 0}
              onClick={() => library.toPage(page - 1)}
            >
              <ChevronLeft aria-hidden />
            </Button>
            <span className="text-muted text-xs tabular-nums" aria-live="polite">
              Page {page + 1} of {pages}
            </span>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Next page"
              disabled={page === pages - 1}
              onClick={() => library.toPage(page + 1)}
            >
              <ChevronRight aria-hidden />
            </Button>
          </nav>
        )}
        <Button
          variant="ghost"
          size="icon-sm"
          aria-expanded={!isFolded}
          aria-label="Show the image library"
          title={isFolded ? 'Show the image library' : 'Hide the image library'}
          onClick={() => storeFolded(isFolded ? 'no' : 'yes')}
        >
          {isFolded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
        </Button>
      </div>
      {/* Two by two where four in a row would leave no room for a title and a button. */}
      <ul
        ref={list}
        hidden={isFolded}
        className="grid grid-cols-2 gap-2 @min-[40rem]:grid-cols-(--cards) [&[hidden]]:hidden"
        style={{ '--cards': `repeat(${columns}, minmax(0, 1fr))` } as CSSProperties}
      >
        {shown.map((image) => (
          <li key={image.id} className="min-w-0">
            <LibraryCard
              image={image}
              age={imageAge(image.createdAt, now)}
              origin={originOf(image)}
              inViewer={viewer.includes(image.id)}
              viewerFull={viewer.length >= library.size}
              onSelect={() => library.select(image.id)}
              onRemove={() => library.remove(image.id)}
              onDelete={() => library.delete(image.id)}
              onRedraw={() => onRedraw(image)}
            />
          </li>
        ))}
        {library.loading &&
          Array.from({ length: fit - 1 }, (_, place) => (
            <li key={place} aria-hidden>
              <Skeleton className="h-full min-h-24 w-full" />
            </li>
          ))}
      </ul>
    </section>
  );
}

function useCardsThatFit() {
  const list = useRef<HTMLUListElement>(null);
  const [fit, setFit] = useState(imagesPerPage);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => setFit(cardsThatFit(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [list, fit] as const;
}

/** Shown only if there are images of other datasets: without them both lists are equal. */
function ListingChoice({ library: { images, listing, list } }: { library: ImageLibrary }) {
  const [standing] = images;
  if (standing === undefined || images.every((image) => sameDataset(image, standing))) return null;
  return (
    <ToggleGroup
      type="single"
      aria-label="Images listed"
      className="shrink-0 p-0.5"
      value={listing}
      // A click on what is chosen already chooses nothing.
      onValueChange={(next) => next !== '' && list(next as Listing)}
    >
      <ToggleGroupItem value="dataset" className="h-6 px-2 text-xs">
        This dataset
      </ToggleGroupItem>
      <ToggleGroupItem value="all" className="h-6 px-2 text-xs">
        All
      </ToggleGroupItem>
    </ToggleGroup>
  );
}

function LibraryState({ library }: { library: ImageLibrary }) {
  const unsaved = library.generated.filter(({ saveState }) => saveState === 'failed').length;
  if (library.error !== null) {
    return (
      <p role="alert" className="text-danger flex min-w-0 flex-1 items-center gap-1 text-xs">
        <span className="truncate">Your saved images could not be loaded.</span>
        <Button variant="link" size="inline" className="text-xs" onClick={library.reload}>
          Try again
        </Button>
      </p>
    );
  }
  if (unsaved > 0) {
    return (
      <p role="status" className="text-danger flex min-w-0 flex-1 items-center gap-1 text-xs">
        <span className="truncate">{plural(unsaved, 'image')} not saved.</span>
        <Button variant="link" size="inline" className="text-xs" onClick={library.saveAgain}>
          Save again
        </Button>
      </p>
    );
  }
  const generated = library.listed.filter(({ type }) => type !== 'default').length;
  const text = library.loading
    ? 'Loading your images...'
    : generated === 0
      ? 'No images yet: visualize a gene to add one.'
      : `${plural(generated, 'image')} and the default UMAP · the newest ${maxGenerated} are kept`;
  return (
    <p className="text-muted min-w-0 flex-1 truncate text-xs tabular-nums" title={text}>
      {text}
    </p>
  );
}

const asItWasDrawn =
  'This thumbnail stays as it was drawn. The viewer and files use the current order, colors and names of the groups.';

interface LibraryCardProps {
  image: LibraryImage;
  origin: ImageOrigin;
  age: string;
  inViewer: boolean;
  viewerFull: boolean;
  onSelect: () => void;
  onRemove: () => void;
  onDelete: () => void;
  onRedraw: () => Promise<void>;
}

function LibraryCard({
  image,
  origin,
  age,
  inViewer,
  viewerFull,
  onSelect,
  onRemove,
  onDelete,
  onRedraw,
}: LibraryCardProps) {
  const title = useImageTitle(image);
  const name = imageName({ ...image, title }, origin);
  const { dataset, cells, subsetChange, earlier } = origin;
  const ageText = image.saveState === 'failed' ? '' : image.type === 'default' ? 'Always here' : age;
  const when = [earlier?.text ?? '', cells, earlier === null ? ageText : ''].filter((part) => part !== '');
  return (
    <div
      className={cn(
        '@container flex h-full flex-col justify-between rounded-md border p-1.5',
        inViewer && 'border-accent',
      )}
    >
      <div className="flex gap-2">
        <div
          // A kept file is on white whatever the theme: dimmed as a whole, its colours keep their order.
          className="h-16 w-12 shrink-0 overflow-hidden rounded @min-[14rem]:w-18 dark:brightness-65"
          {...(image.source && image.type !== 'default' && { title: asItWasDrawn })}
        >
          {/* Its name stands beside it. */}
          <LibraryFigure image={image} alt="" />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <div className="flex items-start gap-1">
            <p className="min-w-0 flex-1 truncate text-[13px] font-medium" title={title}>
              {title}
            </p>
            {image.type !== 'default' && (
              <Tooltip label="Delete image">
                <Button
                  variant="danger"
                  size="icon-sm"
                  className="-mt-1 -mr-1 -mb-2"
                  aria-label={`Delete ${name}`}
                  onClick={onDelete}
                >
                  <Trash2 aria-hidden className="!size-3.5" />
                </Button>
              </Tooltip>
            )}
          </div>
          <p className="text-muted flex text-xs">
            <MiddleTruncated
              text={[image.subtitle, subsetLabel(image)].filter((part) => part !== '').join(' · ')}
              endLength={subsetLetters}
            />
          </p>
          <p className="text-muted flex text-xs">
            <MiddleTruncated text={dataset} />
          </p>
          <p className="text-muted flex items-center gap-1 overflow-hidden text-[11px] leading-4 whitespace-nowrap">
            {image.saveState === 'failed' && (
              <span className="text-danger flex shrink-0 items-center gap-1">
                <CloudOff aria-hidden className="size-3" />
                Not saved
              </span>
            )}
            {subsetChange !== null && <SubsetChangeBadge change={subsetChange} iconOnly className="px-0.5" />}
            <span
              className={cn('truncate', earlier !== null && 'text-warning')}
              title={[earlier?.sentence ?? '', ...when].filter((part) => part !== '').join(' ')}
            >
              {when.join(' · ')}
            </span>
          </p>
        </div>
      </div>
      <CardActions
        image={image}
        name={name}
        inViewer={inViewer}
        viewerFull={viewerFull}
        onSelect={onSelect}
        onRemove={onRemove}
        onRedraw={earlier === null ? undefined : onRedraw}
      />
    </div>
  );
}

type CardActionsProps = Omit<LibraryCardProps, 'origin' | 'age' | 'onDelete' | 'onRedraw'> & {
  name: string;
  /** Absent for a figure of the current dataset. */
  onRedraw: (() => Promise<void>) | undefined;
};

/** Under picture and text, so that a narrow card has room for both buttons. */
function CardActions({ image, name, inViewer, viewerFull, onSelect, onRemove, onRedraw }: CardActionsProps) {
  return (
    <div className="mt-1 flex justify-between gap-1">
      {inViewer ? (
        <Button
          variant="secondary"
          size="xs"
          aria-label={`Hide ${name}`}
          title="Hide from viewer"
          onClick={onRemove}
        >
          Hide
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="xs"
          disabled={viewerFull}
          {...(viewerFull ? {} : { 'aria-label': `Select ${name}` })}
          onClick={onSelect}
        >
          {viewerFull ? 'Viewer Full' : 'Select'}
        </Button>
      )}
      {onRedraw !== undefined && <RedrawButton name={name} onRedraw={onRedraw} />}
      <DownloadMenu image={image} iconOf={name} />
    </div>
  );
}
