import type { ColumnCategories } from '@cellfolio/contract';
import { lookAlike } from '@cellfolio/plots/content';
import { useDndMonitor } from '@dnd-kit/core';
import { verticalListSortingStrategy } from '@dnd-kit/sortable';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { SortableRow } from '@/components/sortable-row.tsx';
import { Sortable } from '@/components/sortable.tsx';
import { Button } from '@/components/ui/button.tsx';
import { formatCount } from '@/lib/format.ts';

type Category = ColumnCategories['categories'][number];

interface CategoryListProps {
  draft: readonly Category[];
  busy: boolean;
  onChange: (draft: Category[]) => void;
  /** Something is being moved, or is not any more. */
  onMoving: (moving: boolean) => void;
}

/** Categories in their order: each is moved by its handle, with the mouse or the keyboard, and takes a colour. */
export function CategoryList({ draft, busy, onChange, onMoving }: CategoryListProps) {
  const warnings = useMemo(() => alikeWarnings(draft), [draft]);
  return (
    <Sortable
      id="category-order"
      noun="category"
      items={draft.map(({ name }) => ({ id: idOf(name), name }))}
      strategy={verticalListSortingStrategy}
      onMove={(from, to) => onChange(draft.toSpliced(from, 1).toSpliced(to, 0, draft[from]!))}
    >
      <MoveMonitor onMoving={onMoving} />
      <ul
        aria-label="Categories in order"
        className="min-h-24 overflow-x-hidden overflow-y-auto overscroll-contain rounded-md border"
      >
        {draft.map((category) => (
          <CategoryRow
            key={category.name}
            category={category}
            busy={busy}
            warning={warnings.get(category.name)}
            onColour={(colour) => onChange(draft.map((one) => (one === category ? { ...one, colour } : one)))}
          />
        ))}
      </ul>
    </Sortable>
  );
}

/** A name may be no text at all, which is no id. */
function idOf(name: string): string {
  return `=${name}`;
}

function MoveMonitor({ onMoving }: Pick<CategoryListProps, 'onMoving'>) {
  useDndMonitor({
    onDragStart: () => onMoving(true),
    onDragEnd: () => onMoving(false),
    onDragCancel: () => onMoving(false),
  });
  return null;
}

/** What to know of colours that were chosen, by category. Those of the dataset are as far apart as so many can be. */
function alikeWarnings(draft: readonly Category[]): ReadonlyMap<string, string> {
  const warnings = new Map<string, string>();
  for (const { name, colour, dataset_colour: own } of draft) {
    if (colour === own) continue;
    for (const other of draft) {
      const sight = other.name === name ? undefined : lookAlike(colour, other.colour);
      if (sight === undefined) continue;
      const how = sight === 'ordinary sight' ? 'Looks like' : `With ${sight}, looks like`;
      warnings.set(name, `${how} “${other.name}”`);
      break;
    }
  }
  return warnings;
}

interface CategoryRowProps {
  category: Category;
  busy: boolean;
  warning: string | undefined;
  onColour: (colour: string) => void;
}

function CategoryRow({ category, busy, warning, onColour }: CategoryRowProps) {
  const { name, cells, colour, dataset_colour: own } = category;
  return (
    <SortableRow id={idOf(name)} name={name} noun="category" busy={busy}>
      <input
        type="color"
        aria-label={`Colour of ${name}`}
        title={`Colour of ${name}`}
        value={colour}
        disabled={busy}
        onChange={(event) => onColour(event.target.value)}
        className="size-5 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <MiddleTruncated text={name} className="text-[13px] leading-5" />
        {warning !== undefined && (
          <span role="status" className="text-warning flex items-start gap-1 text-xs leading-4 wrap-anywhere">
            <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {warning}
          </span>
        )}
      </span>
      {colour !== own && (
        <Button
          variant="ghost"
          size="icon-sm"
          className="size-6 shrink-0"
          aria-label={`Give ${name} the dataset’s own colour`}
          title="The dataset’s own colour"
          disabled={busy}
          onClick={() => onColour(own)}
        >
          <RotateCcw aria-hidden className="size-3.5!" />
        </Button>
      )}
      <span className="text-muted shrink-0 text-xs tabular-nums">{formatCount(cells)}</span>
    </SortableRow>
  );
}
