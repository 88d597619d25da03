import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import {
  BookOpenText,
  Ellipsis,
  EyeOff,
  GripVertical,
  ImagePlus,
  Maximize2,
  Sparkles,
  X,
} from 'lucide-react';
import { type CSSProperties, type ReactNode, type RefObject, useRef, useState } from 'react';
import { FigureReading } from '@/components/figure-reading.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { DropdownMenuItem } from '@/components/ui/dropdown-menu.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { DownloadMenu } from './download-menu.tsx';
import { imageName, subsetLabel, subsetLetters } from './image-name.ts';
import { type ImageOrigin, EarlierVersionLine, ImageOriginLine } from './image-origin.tsx';
import type { LibraryImage } from './library-image.ts';
import { LiveFigure, useLiveVersion } from './live-figure.tsx';
import { useSeenImage } from './seen-image.ts';

interface ViewerCardProps {
  image: LibraryImage;
  origin: ImageOrigin;
  movable: boolean;
  /** Place in the grid. */
  style: CSSProperties;
  /** Too small for a legend and tools beside its map: they open on demand. */
  isCompact: boolean;
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
  style,
  isCompact,
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
  const Tools = isCompact ? CompactTools : CardTools;
  const open = () => {
    // Not every browser focuses a clicked button, to which the dialog returns the focus.
    opener.current?.focus();
    onOpen();
  };
  return (
    <li
      ref={setNodeRef}
      style={{ ...style, transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'bg-surface shadow-card @container flex min-h-0 min-w-0 touch-manipulation flex-col overflow-hidden rounded-lg border',
        isDragging ? 'border-accent z-10 shadow-lg' : 'animate-appear',
      )}
      {...pointers}
    >
      <CardHeader
        title={shown.image}
        subset={subsetLabel(image)}
        origin={origin}
        isCompact={isCompact}
        handle={
          movable && (
            <button
              ref={setActivatorNodeRef}
              type="button"
              {...attributes}
              aria-label={`Move ${name}`}
              onKeyDown={onKeyDown as React.KeyboardEventHandler | undefined}
              className={cn(
                'text-muted hover:bg-surface-2 col-start-1 row-start-1 row-end-3 flex h-7 w-5 cursor-grab items-center justify-center rounded-md',
                !isCompact && '@max-[24rem]:row-end-2 @max-[24rem]:h-6',
              )}
            >
              <GripVertical aria-hidden className="size-4" />
            </button>
          )
        }
      >
        <Tools
          seen={shown}
          name={name}
          words={words}
          opener={opener}
          onRemove={onRemove}
          onOpen={open}
          onKeep={onKeep}
          onAnalyze={onAnalyze}
        />
      </CardHeader>
      {origin.earlier !== null && (
        <EarlierVersionLine
          earlier={origin.earlier}
          name={name}
          onRedraw={() => onRedraw(image)}
          className="px-2 pb-1"
        />
      )}
      <div className="relative min-h-0 flex-1">
        <LiveFigure image={image} alt={name} isCompact={isCompact} onWords={setWords} />
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

interface CardHeaderProps {
  title: Pick<LibraryImage, 'title' | 'subtitle'>;
  subset: string;
  origin: ImageOrigin;
  isCompact: boolean;
  /** `false` for a card that cannot be moved. */
  handle: ReactNode;
  children: ReactNode;
}

function CardHeader({ title, subset, origin, isCompact, handle, children }: CardHeaderProps) {
  return (
    // Beside the whole of a title buttons have room in a wide card only: in a narrow one, as of two at 1024 px, they
    // stand beside its cells, and in one of four at 200 % zoom below them.
    <div
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-1',
        isCompact ? 'px-0.5' : 'p-1',
      )}
    >
      {handle === false ? <span className="w-2" /> : handle}
      <h3
        className={cn(
          'col-start-2 row-start-1 flex min-w-0 items-baseline gap-2 text-[13px] leading-4',
          !isCompact && '@max-[24rem]:col-end-4',
        )}
      >
        <MiddleTruncated text={title.title} className="max-w-2/3 shrink-0 font-medium" />
        <MiddleTruncated
          text={[title.subtitle, subset].filter((part) => part !== '').join(' · ')}
          endLength={subsetLetters}
          className="text-muted text-xs"
        />
      </h3>
      {!isCompact && (
        <ImageOriginLine origin={origin} className="col-start-2 row-start-2 @max-[16rem]:col-end-4" />
      )}
      {children}
    </div>
  );
}

interface ToolsProps extends Pick<ViewerCardProps, 'onRemove' | 'onOpen' | 'onKeep' | 'onAnalyze'> {
  seen: ReturnType<typeof useSeenImage>;
  name: string;
  words: FigureWords | undefined;
  opener: RefObject<HTMLButtonElement | null>;
}

function CardTools({ seen, name, words, opener, onRemove, onOpen, onKeep, onAnalyze }: ToolsProps) {
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

/** All tools in one menu, with words. The description is read in the large view. */
function CompactTools({ seen, name, opener, onRemove, onOpen, onKeep, onAnalyze }: ToolsProps) {
  return (
    <div className="col-start-3 row-start-1 flex items-center justify-self-end">
      <DownloadMenu
        image={seen.image}
        seen={seen}
        triggerRef={opener}
        tools={{
          label: `Tools of ${name}`,
          icon: <Ellipsis aria-hidden />,
          items: (
            <>
              <ToolItem icon={<Maximize2 aria-hidden />} label="Open large" onSelect={onOpen} />
              {seen.isChanged && (
                <ToolItem
                  icon={<ImagePlus aria-hidden />}
                  label="Add to the library"
                  onSelect={() => void onKeep(seen.image)}
                />
              )}
              {onAnalyze !== undefined && (
                <ToolItem icon={<Sparkles aria-hidden />} label="AI analysis" onSelect={onAnalyze} />
              )}
              <ToolItem icon={<EyeOff aria-hidden />} label="Hide from viewer" onSelect={onRemove} />
            </>
          ),
        }}
      />
    </div>
  );
}

function ToolItem({ icon, label, onSelect }: { icon: ReactNode; label: string; onSelect: () => void }) {
  return (
    <DropdownMenuItem onSelect={onSelect}>
      {icon}
      {label}
    </DropdownMenuItem>
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
