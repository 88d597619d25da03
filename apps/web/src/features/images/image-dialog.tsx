import { ChevronLeft, ChevronRight, Maximize, Sparkles, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { FigureReading } from '@/components/figure-reading.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { MapToolbar, useMapStore } from '@/features/map/index.ts';
import { toast } from '@/components/ui/toast.ts';
import { cn } from '@/lib/cn.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { DownloadMenu } from './download-menu.tsx';
import { FittedFigure } from './fitted-figure.tsx';
import { imageName } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import type { LibraryImage } from './library-image.ts';
import { LiveFigure, useLiveVersion } from './live-figure.tsx';
import { useSeenImage } from './seen-image.ts';
import { maxScale, useZoom } from './zoom.ts';

interface ImageDialogProps {
  image: LibraryImage | null;
  images: readonly LibraryImage[];
  originOf: (image: LibraryImage) => ImageOrigin;
  onShow: (id: string) => void;
  onClose: () => void;
  /** Absent if the server offers no AI analysis. */
  onAnalyze: ((image: LibraryImage) => void) | undefined;
}

export function ImageDialog({ image, images, originOf, onShow, onClose, onAnalyze }: ImageDialogProps) {
  const place = images.findIndex(({ id }) => id === image?.id);
  const step = (by: number) => {
    const next = images[(place + by + images.length) % images.length];
    if (place >= 0 && next !== undefined) onShow(next.id);
  };
  return (
    <Dialog open={image !== null} onOpenChange={(open) => !open && onClose()}>
      {image !== null && (
        <DialogContent
          className="h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),84rem)] gap-3 p-4"
          onKeyDown={(event) => {
            const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
            if (by === 0 || event.defaultPrevented) return;
            event.preventDefault();
            step(by);
          }}
        >
          <LargeImage
            image={image}
            origin={originOf(image)}
            place={place}
            count={images.length}
            onStep={step}
            onAnalyze={onAnalyze}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface LargeImageProps {
  image: LibraryImage;
  origin: ImageOrigin;
  /** Zero-based, below `count`. */
  place: number;
  count: number;
  onStep: (by: number) => void;
  onAnalyze: ((image: LibraryImage) => void) | undefined;
}

/** Keeps the zoom from image to image, so that the same cells of another gene stay in place. */
function LargeImage({ image, origin, place, count, onStep, onAnalyze }: LargeImageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { view, zoomIn, zoomOut, reset, handlers } = useZoom(frame);
  useEffect(() => {
    // Its keys work at once. Not before the dialog has noted where the focus came from.
    const next = requestAnimationFrame(() => {
      const map = frame.current?.querySelector<HTMLElement>('[role="application"]');
      (map ?? frame.current)?.focus();
    });
    return () => cancelAnimationFrame(next);
  }, []);
  // Notices about the page behind it would cover the figure and its reading.
  useEffect(() => toast.dismissPassing(), []);
  const zoomed = view.scale > 1;
  const isLive = useLiveVersion(image) !== undefined;
  const shown = useSeenImage(image);
  const [words, setWords] = useState<FigureWords>();
  const { dataset, cells, subsetChange, earlier } = origin;
  const where = [shown.image.subtitle, dataset, image.subsetGroupName, cells].filter((part) => part !== '');
  return (
    <>
      <div className="flex items-center gap-2 pr-10">
        <div className="min-w-0 flex-1">
          <DialogTitle className="truncate">{shown.image.title}</DialogTitle>
          <DialogDescription className="flex text-[13px]">
            <MiddleTruncated text={where.join(' · ')} />
          </DialogDescription>
          {earlier !== null && <p className="text-warning text-[13px]">{earlier.sentence}</p>}
          {subsetChange !== null && <p className="text-warning text-[13px]">{subsetChange.text}</p>}
        </div>
        {isLive && image.source && <DialogTools datasetName={image.source.dataset_filename} />}
        {count > 1 && (
          <div className="flex items-center" role="group" aria-label="Images of the viewer">
            <IconButton
              label="Previous image"
              icon={<ChevronLeft aria-hidden />}
              keys="PageUp"
              onClick={() => onStep(-1)}
            />
            <Counter>{`${place + 1} of ${count}`}</Counter>
            <IconButton
              label="Next image"
              icon={<ChevronRight aria-hidden />}
              keys="PageDown"
              onClick={() => onStep(1)}
            />
          </div>
        )}
        {!isLive && <ZoomButtons scale={view.scale} {...{ zoomIn, zoomOut, reset }} />}
        {onAnalyze !== undefined && (
          <Button variant="secondary" size="sm" onClick={() => onAnalyze(image)}>
            <Sparkles aria-hidden />
            AI Analysis
          </Button>
        )}
        <DownloadMenu image={shown.image} seen={shown} />
      </div>
      {isLive ? (
        <div ref={frame} className="bg-surface min-h-0 flex-1 overflow-hidden rounded-md border">
          <LiveFigure key={image.id} image={image} alt={imageName(shown.image)} onWords={setWords} />
        </div>
      ) : (
        // oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- it takes keys, as its label says
        <div
          ref={frame}
          role="application"
          aria-label={`${imageName(image)}. Plus and minus zoom, arrow keys move, 0 shows the whole figure.${count > 1 ? ' Page up and page down show the other images.' : ''}`}
          tabIndex={0}
          className={cn(
            'bg-surface min-h-0 flex-1 touch-none overflow-hidden rounded-md select-none',
            zoomed ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
          )}
          onDoubleClick={zoomed ? reset : zoomIn}
          {...handlers}
        >
          <div
            className="relative size-full origin-top-left"
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
          >
            <FittedFigure
              key={image.id}
              image={image}
              alt={imageName(image)}
              zoom={view.scale}
              whole
              onWords={setWords}
            />
          </div>
        </div>
      )}
      {words !== undefined && (
        <section aria-label="Description" className="max-h-[25dvh] shrink-0 overflow-y-auto">
          <FigureReading words={words} />
        </section>
      )}
    </>
  );
}

function ZoomButtons({
  scale,
  zoomIn,
  zoomOut,
  reset,
}: { scale: number } & Pick<ReturnType<typeof useZoom>, 'zoomIn' | 'zoomOut' | 'reset'>) {
  return (
    <div className="flex items-center" role="group" aria-label="Zoom">
      <IconButton label="Zoom out" icon={<ZoomOut aria-hidden />} disabled={scale <= 1} onClick={zoomOut} />
      <Counter>{`${Math.round(scale * 100)} %`}</Counter>
      <IconButton
        label="Zoom in"
        icon={<ZoomIn aria-hidden />}
        disabled={scale === maxScale}
        onClick={zoomIn}
      />
      <IconButton
        label="Show the whole figure"
        icon={<Maximize aria-hidden />}
        disabled={scale <= 1}
        onClick={reset}
      />
    </div>
  );
}

function DialogTools({ datasetName }: { datasetName: string }) {
  const store = useMapStore(datasetName);
  return <MapToolbar store={store} list={undefined} />;
}

interface IconButtonProps {
  label: string;
  icon: ReactNode;
  keys?: string;
  disabled?: boolean;
  onClick: () => void;
}

function IconButton({ label, icon, keys, disabled, onClick }: IconButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      aria-keyshortcuts={keys}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
    </Button>
  );
}

function Counter({ children }: { children: string }) {
  return (
    <span className="text-muted w-11 text-center text-xs tabular-nums" aria-live="polite">
      {children}
    </span>
  );
}
