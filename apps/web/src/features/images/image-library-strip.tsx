import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import { plural } from '@/lib/format.ts';
import { useNow } from '@/lib/use-time.ts';
import { imageAge } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import { LibraryCard } from './library-card.tsx';
import type { LibraryImage } from './library-image.ts';
import {
  cardsThatFit,
  imagesPerPage,
  maxGenerated,
  maxInViewer,
  pageCount,
  sameDataset,
} from './library-image.ts';
import type { ImageLibrary, Listing } from './use-image-library.ts';

interface ImageLibraryStripProps {
  library: ImageLibrary;
  originOf: (image: LibraryImage) => ImageOrigin;
  onRedraw: (image: LibraryImage) => Promise<void>;
}

export function ImageLibraryStrip({ library, originOf, onRedraw }: ImageLibraryStripProps) {
  const { listed, viewer } = library;
  const now = useNow(60_000);
  const [list, fit] = useCardsThatFit();
  const pages = pageCount(listed.length, fit);
  const page = Math.min(library.page, pages - 1);
  const shown = listed.slice(page * imagesPerPage, page * imagesPerPage + fit);
  // Few images have the room of those that are not there.
  const columns = library.loading ? fit : Math.min(fit, Math.max(imagesPerPage, shown.length));
  return (
    <section
      aria-labelledby="image-library"
      className="bg-surface shadow-card @container shrink-0 rounded-lg border p-3 pt-2"
    >
      <div className="flex h-8 items-center gap-2 pb-1">
        <h2 id="image-library" className="text-sm font-semibold">
          Image Library
        </h2>
        <LibraryState library={library} />
        <ListingChoice library={library} />
        {pages > 1 && (
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
      </div>
      {/* Two by two where four in a row would leave no room for a title and a button. */}
      <ul
        ref={list}
        className="grid grid-cols-2 gap-2 @min-[40rem]:grid-cols-(--cards)"
        style={{ '--cards': `repeat(${columns}, minmax(0, 1fr))` } as CSSProperties}
      >
        {shown.map((image) => (
          <li key={image.id} className="min-w-0">
            <LibraryCard
              image={image}
              age={imageAge(image.createdAt, now)}
              origin={originOf(image)}
              inViewer={viewer.includes(image.id)}
              viewerFull={viewer.length >= maxInViewer}
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
  const unsaved = library.generated.filter(({ kept }) => kept === 'failed').length;
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
    : `${plural(generated, 'image')} and the default UMAP · the newest ${maxGenerated} are kept`;
  return (
    <p className="text-muted min-w-0 flex-1 truncate text-xs tabular-nums" title={text}>
      {text}
    </p>
  );
}
