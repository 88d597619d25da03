import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical, ImagePlus, Maximize2, Sparkles, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import { Spinner } from '@/components/ui/spinner.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { DownloadMenu } from './download-menu.tsx';
import { imageName, subsetLabel, subsetLetters } from './image-name.ts';
import type { ImageOrigin } from './image-origin.tsx';
import { EarlierVersionLine, ImageOriginLine } from './image-origin.tsx';
import type { LibraryImage } from './library-image.ts';
import { LiveFigure, useLiveVersion } from './live-figure.tsx';
import { ReadingButton } from './reading-button.tsx';
import { useSeenImage } from './seen-image.ts';

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
export function ViewerCard({
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
      {/* A narrow card, one of four at 200 % zoom, has its buttons below its names. */}
      <div className="flex flex-wrap items-center gap-x-1 py-1 pr-1 pl-1">
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
        <div className="min-w-0 flex-1 @max-[16rem]:basis-4/5">
          <h3 className="flex items-baseline gap-2 text-[13px] leading-4">
            <MiddleTruncated text={shown.image.title} className="max-w-2/3 shrink-0 font-medium" />
            <MiddleTruncated
              text={[shown.image.subtitle, subsetLabel(image)].filter((part) => part !== '').join(' · ')}
              kept={subsetLetters}
              className="text-muted text-xs"
            />
          </h3>
          <ImageOriginLine origin={origin} />
        </div>
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
    <div className="ml-auto flex shrink-0 items-center @min-[28rem]:gap-1">
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
