import type { ColumnCategories } from '@cellfolio/contract';
import { lookAlike } from '@cellfolio/figures/content';
import { useDndMonitor } from '@dnd-kit/core';
import { verticalListSortingStrategy } from '@dnd-kit/sortable';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { SortableRow } from '@/components/sortable-row.tsx';
import { Sortable } from '@/components/sortable.tsx';
import { Button } from '@/components/ui/button.tsx';
import { formatCount } from '@/lib/format.ts';
import { namesText } from './category-names.ts';

type Category = ColumnCategories['categories'][number];
type Named = Pick<Category, 'name' | 'label'>;

/** Label of a category in a draft: as typed, or the dataset's name when empty. */
export function labelOf({ name, label }: Named): string {
  return label === name ? name : label.trim() || name;
}

/** Names of categories whose label duplicates another one, by the same rule as the server's. */
export function repeatedLabels(draft: readonly Named[]): ReadonlySet<string> {
  const byLabel = Map.groupBy(draft, (one) => labelOf(one).normalize('NFKC').replace(/\s+/g, ' ').trim());
  const repeated = [...byLabel.values()].filter(
    (of) => of.length > 1 && of.some((one) => labelOf(one) !== one.name),
  );
  return new Set(repeated.flatMap((of) => of.map(({ name }) => name)));
}

interface CategoryListProps {
  draft: readonly Category[];
  repeated: ReadonlySet<string>;
  busy: boolean;
  onChange: (draft: Category[]) => void;
  onMoving: (moving: boolean) => void;
}

export function CategoryList({ draft, repeated, busy, onChange, onMoving }: CategoryListProps) {
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
            isRepeated={repeated.has(category.name)}
            onChange={(change) =>
              onChange(draft.map((one) => (one === category ? { ...one, ...change } : one)))
            }
          />
        ))}
      </ul>
    </Sortable>
  );
}

/** Prefixed, because a name may be empty, which is not a valid id. */
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

/** Warnings about chosen colours, by category. The dataset's own colours are as distinct as their number allows. */
function alikeWarnings(draft: readonly Category[]): ReadonlyMap<string, string> {
  const warnings = new Map<string, string>();
  for (const { name, colour, dataset_colour: own } of draft) {
    if (colour === own) continue;
    for (const other of draft) {
      const sight = other.name === name ? undefined : lookAlike(colour, other.colour);
      if (sight === undefined) continue;
      const how = sight === 'ordinary sight' ? 'Looks like' : `With ${sight}, looks like`;
      warnings.set(name, `${how} “${labelOf(other)}”`);
      break;
    }
  }
  return warnings;
}

interface CategoryRowProps {
  category: Category;
  busy: boolean;
  warning: string | undefined;
  isRepeated: boolean;
  onChange: (change: Partial<Pick<Category, 'colour' | 'label'>>) => void;
}

function CategoryRow({ category, busy, warning, isRepeated, onChange }: CategoryRowProps) {
  const { name, label, cells, colour, dataset_colour: own } = category;
  const isRenamed = labelOf(category) !== name;
  const what = [...(isRenamed ? ['name'] : []), ...(colour !== own ? ['colour'] : [])].join(' and ');
  return (
    <SortableRow id={idOf(name)} name={name} noun="category" busy={busy}>
      <input
        type="color"
        aria-label={`Color of ${name}`}
        title={`Color of ${name}`}
        value={colour}
        disabled={busy}
        onChange={(event) => onChange({ colour: event.target.value })}
        className="size-5 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <input
          aria-label={`Display name of ${name === '' ? '(no name)' : name}`}
          aria-invalid={isRepeated}
          title={namesText(labelOf(category), name)}
          value={label}
          placeholder={name === '' ? '(no name)' : name}
          maxLength={200}
          disabled={busy}
          onChange={(event) => onChange({ label: event.target.value })}
          className="aria-invalid:border-danger min-w-0 rounded border bg-transparent px-1.5 text-[13px] leading-5 text-ellipsis"
        />
        {isRenamed && (
          <span className="text-muted mt-1 flex min-w-0 pl-1.5 text-xs leading-4">
            <span className="shrink-0 whitespace-pre">In the dataset: </span>
            <MiddleTruncated text={name === '' ? '(no name)' : name} />
          </span>
        )}
        {warning !== undefined && (
          <span role="status" className="text-warning flex items-start gap-1 text-xs leading-4 wrap-anywhere">
            <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {warning}
          </span>
        )}
      </span>
      {what !== '' && (
        <Button
          variant="ghost"
          size="icon-sm"
          className="size-6 shrink-0"
          aria-label={`Reset ${name} to the dataset’s own ${what}`}
          title={`The dataset’s own ${what}`}
          disabled={busy}
          onClick={() => onChange({ colour: own, label: name })}
        >
          <RotateCcw aria-hidden className="size-3.5!" />
        </Button>
      )}
      <span className="text-muted shrink-0 text-xs tabular-nums">{formatCount(cells)}</span>
    </SortableRow>
  );
}
