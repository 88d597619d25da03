import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { FigureImage } from '@/components/figure-image.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { ImageDialog } from './image-dialog.tsx';
import type { LibraryImage } from './library-image.ts';
import { saveImage } from './save-image.ts';

interface MainViewerProps {
  images: readonly LibraryImage[];
  onRemove: (id: string) => void;
}

const layouts = ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-2 grid-rows-2', 'grid-cols-2 grid-rows-2'];

/** Up to four figures side by side; a click opens one large. */
export function MainViewer({ images, onRemove }: MainViewerProps) {
  const [large, setLarge] = useState<LibraryImage | null>(null);
  if (images.length === 0) {
    return (
      <p className="text-muted flex size-full items-center justify-center rounded-lg border border-dashed p-6 text-center">
        The viewer is empty. Select an image in the library, or visualize a gene.
      </p>
    );
  }
  return (
    <>
      <ul className={cn('grid size-full min-h-0 gap-3', layouts[images.length])}>
        {images.map((image) => (
          <li
            key={image.id}
            className="bg-surface shadow-card animate-appear flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border"
          >
            <div className="flex items-center gap-1 py-1 pr-1 pl-3">
              <h3 className="min-w-0 flex-1 truncate text-[13px]">
                <span className="font-medium">{image.title}</span>
                <span className="text-muted ml-2 text-xs">{image.subtitle}</span>
              </h3>
              <Tooltip label="Download PNG">
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Download ${nameOf(image)}`}
                  onClick={() => void saveImage(image)}
                >
                  <Download aria-hidden />
                </Button>
              </Tooltip>
              <Tooltip label="Remove from viewer">
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Remove ${nameOf(image)} from viewer`}
                  onClick={() => onRemove(image.id)}
                >
                  <X aria-hidden />
                </Button>
              </Tooltip>
            </div>
            <button
              type="button"
              aria-label={`Open ${nameOf(image)} large`}
              className="min-h-0 flex-1 cursor-zoom-in -outline-offset-2"
              onClick={({ currentTarget }) => {
                // Not every browser gives a clicked button the focus, which the dialog hands back.
                currentTarget.focus();
                setLarge(image);
              }}
            >
              <FigureImage src={image.imageUrl} alt={nameOf(image)} />
            </button>
          </li>
        ))}
      </ul>
      <ImageDialog image={large} onClose={() => setLarge(null)} />
    </>
  );
}

function nameOf({ title, subtitle }: LibraryImage): string {
  return `${title}, ${subtitle}`;
}
