import { History } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { cn } from '@/lib/cn.ts';
import type { ImageOrigin, SubsetChange } from './image-origin.ts';

const labels: Record<SubsetChange['kind'], { long: string; short: string }> = {
  changed: { long: 'Subset changed since', short: 'Changed' },
  renamed: { long: 'Subset renamed', short: 'Renamed' },
  deleted: { long: 'Subset deleted', short: 'Deleted' },
};

/** Dataset, cells and what became of the subset, on one line of a card that is a container. */
export function ImageOriginLine({ origin, className }: { origin: ImageOrigin; className?: string }) {
  const { dataset, cells, subsetChange } = origin;
  return (
    <p className={cn('text-muted flex min-w-0 items-center text-[11px] leading-4', className)}>
      <MiddleTruncated text={dataset} />
      {cells !== '' && <span className="shrink-0 whitespace-pre tabular-nums">{` · ${cells}`}</span>}
      {subsetChange !== null && <SubsetChangeBadge change={subsetChange} className="ml-1.5" />}
    </p>
  );
}

interface SubsetChangeBadgeProps {
  change: SubsetChange;
  /** Where there is no room for a word, only readers of the screen are given it. */
  iconOnly?: boolean;
  className?: string;
}

/** That the subset of an image is not what it was; the whole sentence is its title. */
export function SubsetChangeBadge({ change, iconOnly = false, className }: SubsetChangeBadgeProps) {
  const { long, short } = labels[change.kind];
  return (
    <Badge
      variant="warning"
      title={change.text}
      className={cn('gap-1 px-1.5 py-0 text-[11px] leading-4', className)}
    >
      <History aria-hidden className="size-3" />
      {iconOnly ? (
        <span className="sr-only">{long}</span>
      ) : (
        <>
          <span className="@min-[24rem]:hidden">{short}</span>
          <span className="hidden @min-[24rem]:inline">{long}</span>
        </>
      )}
    </Badge>
  );
}
