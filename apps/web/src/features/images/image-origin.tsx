import type { FilterRequest } from '@cellfolio/contract';
import { History } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { sameCells } from '@/features/subsets/index.ts';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/format.ts';
import { datasetLabel, type ImageDataset, subsetLabel } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

/** Whose figure an image is: of which dataset, how many cells, and whether its subset is still the same. */
export interface ImageOrigin extends ImageDataset {
  /** '5,525 cells'; empty where it is not known how many. */
  cells: string;
  /** `null` where the subset is as it was, or that is not known. */
  subsetChange: SubsetChange | null;
}

interface SubsetChange {
  kind: 'changed' | 'renamed' | 'deleted';
  /** A sentence. */
  text: string;
}

/** A subset as it is now. */
export interface CurrentSubset {
  name: string;
  filter: FilterRequest;
}

/** What is known when an image is shown. */
interface OriginFacts {
  /** Absent if unknown. */
  datasetName: string | undefined;
  foreign: boolean;
  /** The subsets of the image's dataset; `undefined` while they are not known. */
  subsets: readonly CurrentSubset[] | undefined;
}

export function imageOrigin(
  image: LibraryImage,
  { datasetName, foreign, subsets }: OriginFacts,
): ImageOrigin {
  return {
    dataset: datasetName ?? datasetLabel(image),
    foreign,
    cells: cellsText(image),
    subsetChange: subsets === undefined ? null : subsetChange(image, subsets),
  };
}

function cellsText(image: LibraryImage): string {
  const all = subsetLabel(image) === '';
  const { cellCount } = image;
  if (typeof cellCount !== 'number') return all ? 'all cells' : '';
  return all ? `all ${counted(cellCount, 'cell')}` : counted(cellCount, 'cell');
}

function subsetChange(image: LibraryImage, subsets: readonly CurrentSubset[]): SubsetChange | null {
  const name = subsetLabel(image).trim();
  if (name === '') return null;
  const { source } = image;
  const same = ({ filter }: CurrentSubset) => !!source && sameCells(source.subset, filter);
  const namesake = subsets.find((subset) => subset.name.trim() === name);
  if (namesake !== undefined) {
    // Of an image without a source it is not known what it was drawn from.
    if (!source || same(namesake)) return null;
    return {
      kind: 'changed',
      text: `The subset “${name}” has another filter now: this figure shows the cells of the one before.`,
    };
  }
  const renamed = subsets.find(same);
  if (renamed !== undefined) {
    return { kind: 'renamed', text: `The subset of these cells is called “${renamed.name}” now.` };
  }
  return {
    kind: 'deleted',
    text: `No subset “${name}” is saved for this dataset now: it was deleted, or came with a link.`,
  };
}

const labels: Record<SubsetChange['kind'], { long: string; short: string }> = {
  changed: { long: 'Subset changed since', short: 'Changed' },
  renamed: { long: 'Subset renamed', short: 'Renamed' },
  deleted: { long: 'Subset deleted', short: 'Deleted' },
};

/**
 * Dataset, cells and what became of the subset, on one line of a card that is a container. Where there is no room, first
 * the dataset is cut, and the cells only when nothing is left of it.
 */
export function ImageOriginLine({ origin, className }: { origin: ImageOrigin; className?: string }) {
  const { dataset, cells, subsetChange } = origin;
  return (
    <p className={cn('text-muted flex min-w-0 items-center text-[11px] leading-4', className)}>
      <MiddleTruncated text={dataset} className="shrink-[9999]" />
      {cells !== '' && <span className="min-w-0 truncate whitespace-pre tabular-nums">{` · ${cells}`}</span>}
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
