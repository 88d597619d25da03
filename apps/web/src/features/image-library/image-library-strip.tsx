import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import { FigureImage } from '@/components/figure-image.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/counted.ts';
import { useNow } from '@/lib/use-now.ts';
import { imageAge } from './image-age.ts';
import type { ImageLibrary, ImageLibraryAction } from './image-library.ts';
import { imagesPerPage, maxInViewer, pageCount } from './image-library.ts';
import type { LibraryImage } from './library-image.ts';

interface ImageLibraryStripProps {
  library: ImageLibrary;
  dispatch: (action: ImageLibraryAction) => void;
  onDelete: (image: LibraryImage) => void;
}

/** The Image Library: four images per page, to put into the viewer, take out of it, or delete. */
export function ImageLibraryStrip({ library, dispatch, onDelete }: ImageLibraryStripProps) {
  const { page, images, viewer } = library;
  const now = useNow(60_000);
  const pages = pageCount(library);
  const shown = images.slice(page * imagesPerPage, (page + 1) * imagesPerPage);
  return (
    <section
      aria-labelledby="image-library"
      className="bg-surface shadow-card @container shrink-0 rounded-lg border p-3 pt-2"
    >
      <div className="flex h-8 items-center gap-2 pb-1">
        <h2 id="image-library" className="text-sm font-semibold">
          Image Library
        </h2>
        <p className="text-muted min-w-0 flex-1 truncate text-xs tabular-nums">
          {counted(images.length, 'image')} · kept for this visit only
        </p>
        {pages > 1 && (
          <div className="flex items-center gap-1">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Previous page"
              disabled={page === 0}
              onClick={() => dispatch({ type: 'page', page: page - 1 })}
            >
              <ChevronLeft aria-hidden />
            </Button>
            <span className="text-muted text-xs tabular-nums">
              Page {page + 1} of {pages}
            </span>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Next page"
              disabled={page === pages - 1}
              onClick={() => dispatch({ type: 'page', page: page + 1 })}
            >
              <ChevronRight aria-hidden />
            </Button>
          </div>
        )}
      </div>
      {/* Two by two where four in a row would leave no room for a title and a button. */}
      <ul className="grid grid-cols-2 gap-2 @min-[40rem]:grid-cols-4">
        {shown.map((image) => (
          <li key={image.id} className="min-w-0">
            <LibraryCard
              image={image}
              age={imageAge(image.createdAt, now)}
              inViewer={viewer.includes(image.id)}
              viewerFull={viewer.length >= maxInViewer}
              onSelect={() => dispatch({ type: 'select', id: image.id })}
              onRemove={() => dispatch({ type: 'remove', id: image.id })}
              onDelete={() => onDelete(image)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LibraryCardProps {
  image: LibraryImage;
  age: string;
  inViewer: boolean;
  viewerFull: boolean;
  onSelect: () => void;
  onRemove: () => void;
  onDelete: () => void;
}

function LibraryCard({ image, age, inViewer, viewerFull, onSelect, onRemove, onDelete }: LibraryCardProps) {
  const name = `${image.title}, ${image.subtitle}`;
  return (
    <div className={cn('flex gap-2 rounded-md border p-1.5', inViewer && 'border-accent')}>
      <div className="w-18 shrink-0 overflow-hidden rounded max-xl:w-12">
        <FigureImage src={image.imageUrl} alt="" />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex items-start gap-1">
          <p className="min-w-0 flex-1 truncate text-[13px] font-medium" title={image.title}>
            {image.title}
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
        <p className="text-muted truncate text-xs" title={image.subtitle}>
          {image.subtitle}
        </p>
        <p className="text-muted truncate text-xs">{image.type === 'default' ? 'Always here' : age}</p>
        {inViewer ? (
          <Button
            variant="secondary"
            size="xs"
            className="mt-1 self-start"
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        ) : (
          <Button
            variant="secondary"
            size="xs"
            className="mt-1 self-start max-xl:px-1"
            disabled={viewerFull}
            {...(viewerFull ? {} : { 'aria-label': `Select ${name}` })}
            onClick={onSelect}
          >
            {viewerFull ? 'Viewer Full' : 'Select'}
          </Button>
        )}
      </div>
    </div>
  );
}
