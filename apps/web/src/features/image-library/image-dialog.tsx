import { Maximize, Sparkles, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { cn } from '@/lib/cn.ts';
import { DownloadMenu } from './download-menu.tsx';
import { datasetLabel, imageName } from './image-name.ts';
import { LibraryFigure } from './library-figure.tsx';
import type { LibraryImage } from './library-image.ts';
import { useZoom } from './use-zoom.ts';
import { maxScale } from './zoom.ts';

interface ImageDialogProps {
  image: LibraryImage | null;
  onClose: () => void;
  /** Absent where the server offers no AI analysis. */
  onAnalyze: ((image: LibraryImage) => void) | undefined;
}

/** One figure as large as the window allows, to zoom into and to take along. */
export function ImageDialog({ image, onClose, onAnalyze }: ImageDialogProps) {
  return (
    <Dialog open={image !== null} onOpenChange={(open) => !open && onClose()}>
      {image !== null && (
        <DialogContent className="h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),84rem)] gap-3 p-4">
          <LargeImage image={image} onAnalyze={onAnalyze} />
        </DialogContent>
      )}
    </Dialog>
  );
}

function LargeImage({ image, onAnalyze }: Pick<ImageDialogProps, 'onAnalyze'> & { image: LibraryImage }) {
  const frame = useRef<HTMLDivElement>(null);
  const { view, zoomIn, zoomOut, reset, handlers } = useZoom(frame);
  const where = [image.subtitle, datasetLabel(image), image.subsetGroupName].filter((part) => part !== '');
  return (
    <>
      <div className="flex items-center gap-2 pr-10">
        <div className="min-w-0 flex-1">
          <DialogTitle className="truncate">{image.title}</DialogTitle>
          <DialogDescription className="truncate text-[13px]">{where.join(' · ')}</DialogDescription>
        </div>
        <div className="flex items-center" role="group" aria-label="Zoom">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Zoom out"
            disabled={view.scale === 1}
            onClick={zoomOut}
          >
            <ZoomOut aria-hidden />
          </Button>
          <span className="text-muted w-11 text-center text-xs tabular-nums" aria-live="polite">
            {Math.round(view.scale * 100)}%
          </span>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Zoom in"
            disabled={view.scale === maxScale}
            onClick={zoomIn}
          >
            <ZoomIn aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Show the whole figure"
            disabled={view.scale === 1}
            onClick={reset}
          >
            <Maximize aria-hidden />
          </Button>
        </div>
        {onAnalyze !== undefined && (
          <Button variant="secondary" size="sm" onClick={() => onAnalyze(image)}>
            <Sparkles aria-hidden />
            AI Analysis
          </Button>
        )}
        <DownloadMenu image={image} />
      </div>
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- it takes keys, as its label says */}
      <div
        ref={frame}
        role="application"
        aria-label={`${imageName(image)}. Plus and minus zoom, arrow keys move, 0 shows the whole figure.`}
        tabIndex={0}
        className={cn(
          'bg-figure min-h-0 flex-1 touch-none overflow-hidden rounded-md select-none',
          view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
        )}
        onDoubleClick={view.scale > 1 ? reset : zoomIn}
        {...handlers}
      >
        <div
          className="size-full origin-top-left"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          <LibraryFigure image={image} alt={imageName(image)} withRetry />
        </div>
      </div>
    </>
  );
}
