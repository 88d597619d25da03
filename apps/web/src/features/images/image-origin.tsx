import type { FilterRequest } from '@cellfolio/contract';
import { History, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { sameCells } from '@/features/subsets/index.ts';
import { cn } from '@/lib/cn.ts';
import { plural } from '@/lib/format.ts';
import { datasetLabel, type ImageDataset, subsetLabel } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

export interface ImageOrigin extends ImageDataset {
  /** '5,525 cells'; empty if the number is unknown. */
  cells: string;
  /** `null` if the subset is unchanged, or that is unknown. */
  subsetChange: SubsetChange | null;
  /** Set if the image was drawn from an earlier version of the dataset or its labels; `null` otherwise. */
  earlier: EarlierVersion | null;
}

interface EarlierVersion {
  /** 'data of 12 Nov', 'of earlier labels'. */
  text: string;
  sentence: string;
}

interface SubsetChange {
  kind: 'changed' | 'renamed' | 'deleted' | 'unsaved';
  text: string;
}

export interface CurrentSubset {
  name: string;
  filter: FilterRequest;
}

interface OriginFacts {
  datasetName: string | undefined;
  foreign: boolean;
  subsets: readonly CurrentSubset[] | undefined;
  /** The server's current version of the image's dataset; `undefined` while unknown, `null` for a new dataset. */
  version: string | null | undefined;
  /** Set if labels or numbers that the image was drawn from are no longer stored; `null` if they are. */
  lost: 'changed' | 'deleted' | null;
}

export function imageOrigin(
  image: LibraryImage,
  { datasetName, foreign, subsets, version, lost }: OriginFacts,
): ImageOrigin {
  return {
    dataset: datasetName ?? datasetLabel(image),
    foreign,
    cells: cellsText(image),
    subsetChange: subsets === undefined ? null : subsetChange(image, subsets),
    earlier: earlierVersion(image, version) ?? (lost && ofLost[lost]),
  };
}

/** Names the version by the day on which the image was drawn; older images do not record theirs. */
function earlierVersion(
  { source, createdAt }: LibraryImage,
  version: OriginFacts['version'],
): EarlierVersion | null {
  const own = source?.version;
  if (own === undefined || version === undefined || own === version) return null;
  const day = new Date(createdAt);
  const year = day.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' as const };
  const date = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
  const text = `data of ${date}`;
  return { text, sentence: `Drawn from the data of ${date}; the dataset has been replaced since.` };
}

const ofLost: Record<'changed' | 'deleted', EarlierVersion> = {
  changed: { text: 'of earlier labels', sentence: 'Drawn from labels that have changed since.' },
  deleted: { text: 'of a deleted column', sentence: 'Drawn from a column that has been deleted since.' },
};

function cellsText(image: LibraryImage): string {
  const all = subsetLabel(image) === '';
  const { cellCount } = image;
  if (typeof cellCount !== 'number') return all ? 'all cells' : '';
  return all ? `all ${plural(cellCount, 'cell')}` : plural(cellCount, 'cell');
}

function subsetChange(image: LibraryImage, subsets: readonly CurrentSubset[]): SubsetChange | null {
  const name = subsetLabel(image).trim();
  if (name === '') return null;
  const { source } = image;
  const same = ({ filter }: CurrentSubset) => !!source && sameCells(source.subset, filter);
  const namesake = subsets.find((subset) => subset.name.trim() === name);
  if (namesake !== undefined) {
    // What an image without a source was drawn from is unknown.
    if (!source || same(namesake)) return null;
    return {
      kind: 'changed',
      text: `The subset “${name}” has a new filter: this figure shows the cells of the previous one.`,
    };
  }
  const renamed = subsets.find(same);
  if (renamed !== undefined) {
    return { kind: 'renamed', text: `The subset of these cells is now called “${renamed.name}”.` };
  }
  if (source?.subset?.cells_filter) {
    return {
      kind: 'unsaved',
      text: `The cells “${name}” were selected on the map and are not saved as a subset.`,
    };
  }
  return {
    kind: 'deleted',
    text: `This dataset has no saved subset “${name}”: it was deleted, or came with a link.`,
  };
}

const labels: Record<SubsetChange['kind'], { long: string; short: string }> = {
  changed: { long: 'Subset changed since', short: 'Changed' },
  renamed: { long: 'Subset renamed', short: 'Renamed' },
  deleted: { long: 'Subset deleted', short: 'Deleted' },
  unsaved: { long: 'Subset not saved', short: 'Not saved' },
};

/** If space is short, the dataset is truncated first, and the cells only when nothing is left of it. */
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

interface EarlierVersionLineProps {
  earlier: EarlierVersion;
  name: string;
  onRedraw: () => Promise<void>;
  className?: string;
}

export function EarlierVersionLine({ earlier, name, onRedraw, className }: EarlierVersionLineProps) {
  return (
    <p className={cn('text-warning flex items-center gap-2 text-[11px] leading-4', className)}>
      <span className="flex min-w-0 items-start gap-1">
        <History aria-hidden className="mt-0.5 size-3 shrink-0" />
        {earlier.sentence}
      </span>
      <RedrawButton name={name} onRedraw={onRedraw} />
    </p>
  );
}

export function RedrawButton({ name, onRedraw }: Pick<EarlierVersionLineProps, 'name' | 'onRedraw'>) {
  const [pending, setPending] = useState(false);
  return (
    <Button
      variant="secondary"
      size="xs"
      className="shrink-0"
      disabled={pending}
      aria-label={`Redraw ${name}`}
      title="Redraw with the current dataset and labels"
      onClick={() => {
        setPending(true);
        void onRedraw().finally(() => setPending(false));
      }}
    >
      {pending ? <Spinner /> : <RotateCw aria-hidden />}
      <span className="@max-[13rem]:hidden">Redraw</span>
    </Button>
  );
}

interface SubsetChangeBadgeProps {
  change: SubsetChange;
  /** For narrow places: the word is available to screen readers only. */
  iconOnly?: boolean;
  className?: string;
}

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
