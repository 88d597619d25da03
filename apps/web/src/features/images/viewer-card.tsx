import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical, Sparkles, X } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { DownloadMenu } from './download-menu.tsx';
import { FittedFigure } from './fitted-figure.tsx';
import { imageName, subsetLabel, subsetLetters } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import { ImageOriginLine } from './image-origin.tsx';
import type { LibraryImage } from './library-image.ts';

interface ViewerCardProps {
  image: LibraryImage;
  origin: ImageOrigin;
  /** Whether there is another place to drag it to. */
  movable: boolean;
  onRemove: () => void;
  onOpen: () => void;
  /** Absent if the server offers no AI analysis. */
  onAnalyze: (() => void) | undefined;
}

/** One figure of the viewer. Dragged anywhere by mouse or finger, by its handle with the keyboard. */
export function ViewerCard({ image, origin, movable, onRemove, onOpen, onAnalyze }: ViewerCardProps) {
  const name = imageName(image, origin);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: image.id,
      disabled: !movable,
      transition: { duration: 180, easing: 'ease-out' },
      attributes: { roleDescription: 'movable image' },
    });
  const { onKeyDown, ...pointers } = listeners ?? {};
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
      <div className="flex items-center gap-1 py-1 pr-1 pl-1">
        {movable ? (
          <button
            ref={setActivatorNodeRef}
            type="button"
            {...attributes}
            aria-label={`Move ${name}`}
            onKeyDown={onKeyDown as React.KeyboardEventHandler | undefined}
            className="text-muted hover:bg-surface-2 flex h-7 w-5 shrink-0 cursor-grab items-center justify-center rounded-md"
          >
            <GripVertical aria-hidden className="size-4" />
          </button>
        ) : (
          <span className="w-2" />
        )}
        <div className="min-w-0 flex-1">
          <h3 className="flex items-baseline gap-2 text-[13px] leading-4">
            <MiddleTruncated text={image.title} className="max-w-2/3 shrink-0 font-medium" />
            <MiddleTruncated
              text={[image.subtitle, subsetLabel(image)].filter((part) => part !== '').join(' · ')}
              kept={subsetLetters}
              className="text-muted text-xs"
            />
          </h3>
          <ImageOriginLine origin={origin} />
        </div>
        {onAnalyze !== undefined && (
          <Tooltip label="AI analysis">
            <Button variant="ghost" size="icon-sm" aria-label={`AI analysis of ${name}`} onClick={onAnalyze}>
              <Sparkles aria-hidden />
            </Button>
          </Tooltip>
        )}
        <DownloadMenu image={image} iconOf={name} />
        <Tooltip label="Hide from viewer">
          <Button variant="ghost" size="icon-sm" aria-label={`Hide ${name} from viewer`} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        </Tooltip>
      </div>
      <div className="relative min-h-0 flex-1">
        <FittedFigure image={image} alt={name} />
        <button
          type="button"
          aria-label={`Open ${name} large`}
          className="absolute inset-0 cursor-zoom-in -outline-offset-2"
          onClick={({ currentTarget }) => {
            // Not every browser focuses a clicked button, to which the dialog returns the focus.
            currentTarget.focus();
            onOpen();
          }}
        />
      </div>
    </li>
  );
}
