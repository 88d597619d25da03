import { CloudOff, Trash2 } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { cn } from '@/lib/cn.ts';
import { DownloadMenu } from './download-menu.tsx';
import { useImageTitle, type LibraryImage } from './library-image.ts';
import { imageName, subsetLabel, subsetLetters } from './image-name.ts';
import { type ImageOrigin, RedrawButton, SubsetChangeBadge } from './image-origin.tsx';
import { LibraryFigure } from './library-figure.tsx';

const asItWasDrawn =
  'This thumbnail stays as it was drawn. The viewer and files use the current order, colours and names of the groups.';

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

export function LibraryCard({
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
  const ageText = image.kept === 'failed' ? '' : image.type === 'default' ? 'Always here' : age;
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
              kept={subsetLetters}
            />
          </p>
          <p className="text-muted flex text-xs">
            <MiddleTruncated text={dataset} />
          </p>
          <p className="text-muted flex items-center gap-1 overflow-hidden text-[11px] leading-4 whitespace-nowrap">
            {image.kept === 'failed' && (
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
