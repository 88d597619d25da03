import { type ColumnCategories, type MapColumnList } from '@cellfolio/contract';
import { surelyDistinct } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from '@/components/ui/dialog.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { ListState } from '@/features/documents/index.ts';
import { useServices } from '@/lib/services.ts';
import { labelOf, repeatedLabels, CategoryList } from './category-list.tsx';
import { categoriesQuery, type DisplayChange, useChangeDisplay } from './category-displays.ts';

type ObsColumn = MapColumnList['obs'][number];

interface CategoryDisplayDialogProps {
  filename: string;
  /** Undefined when closed. */
  column: ObsColumn | undefined;
  onClose: () => void;
}

export function CategoryDisplayDialog({ filename, column, onClose }: CategoryDisplayDialogProps) {
  return (
    <Dialog open={column !== undefined} onOpenChange={(open) => !open && onClose()}>
      {column !== undefined && (
        <CategoryDisplayContent
          filename={filename}
          column={column.name}
          title={column.title}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

interface ContentProps {
  filename: string;
  column: string;
  title: string;
  onDone: () => void;
}

function CategoryDisplayContent({ filename, column, title, onDone }: ContentProps) {
  const { api } = useServices();
  const shown = useQuery(categoriesQuery(api, filename, column));
  const { change, isPending } = useChangeDisplay(filename, column);
  const submit = (revision: number, categories: SavedCategories, done: string) =>
    change({ revision, categories }, () => {
      onDone();
      toast.success(done, { description: title });
    }).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.code === 'display_changed') void shown.refetch();
    });
  // Escape puts down what is moved by the keyboard; the dialog stays.
  const isMoving = useRef(false);
  return (
    <DialogContent className="gap-3" onEscapeKeyDown={(event) => isMoving.current && event.preventDefault()}>
      <DialogTitle className="pr-8 wrap-anywhere">Order, colors and names of {title}</DialogTitle>
      <DialogDescription className="text-[13px]">
        Applies to your figures, legends and tables of this dataset. Data files and filters keep the names of
        the dataset. To merge categories, copy the column as an annotation.
      </DialogDescription>
      {shown.isPending || (shown.isFetching && !shown.isFetchedAfterMount) ? (
        <Skeleton className="h-64" />
      ) : (
        <ListState list={shown} noun="categories">
          {(categories) => (
            <Editor
              key={categories.revision}
              shown={categories}
              busy={isPending}
              onSave={(changed, done) => void submit(categories.revision, changed, done)}
              onMoving={(moving) => {
                isMoving.current = moving;
              }}
            />
          )}
        </ListState>
      )}
    </DialogContent>
  );
}

type Category = ColumnCategories['categories'][number];
type SavedCategories = DisplayChange['categories'];

interface EditorProps {
  shown: ColumnCategories;
  busy: boolean;
  onSave: (categories: SavedCategories, done: string) => void;
  onMoving: (moving: boolean) => void;
}

const names = new Intl.Collator('en', { numeric: true });

function Editor({ shown, busy, onSave, onMoving }: EditorProps) {
  const [draft, setDraft] = useState(shown.categories);
  const isChanged = draft.some((one, at) => {
    const before = shown.categories[at]!;
    return one.name !== before.name || one.colour !== before.colour || labelOf(one) !== before.label;
  });
  const save = () => {
    const categories = draft.map((one) => ({
      name: one.name,
      ...(one.colour !== one.dataset_colour && { colour: one.colour }),
      ...(labelOf(one) !== one.name && { label: labelOf(one) }),
    }));
    const isOwn = categories.every(
      ({ colour, label }, at) => draft[at]!.place === at && colour === undefined && label === undefined,
    );
    onSave(isOwn ? null : categories, 'Order, Colors and Names Saved');
  };
  const repeated = useMemo(() => repeatedLabels(draft), [draft]);
  const sort = (compare: (a: Category, b: Category) => number) => setDraft(draft.toSorted(compare));
  return (
    <>
      <div className="flex flex-wrap gap-1.5">
        <Button
          variant="secondary"
          size="xs"
          onClick={() => sort((a, b) => names.compare(labelOf(a), labelOf(b)))}
        >
          Sort by name
        </Button>
        <Button variant="secondary" size="xs" onClick={() => sort((a, b) => b.cells - a.cells)}>
          Sort by cells
        </Button>
      </div>
      <CategoryList draft={draft} repeated={repeated} busy={busy} onChange={setDraft} onMoving={onMoving} />
      {repeated.size > 0 && (
        <p role="alert" className="text-danger text-xs">
          Two categories with one name would look merged but are still counted separately: give each its own
          name. To merge them, copy the column as an annotation.
        </p>
      )}
      {draft.length > surelyDistinct && (
        <p className="text-muted text-xs">
          With more than {surelyDistinct} categories some colors look alike, especially with color blindness,
          or resemble those of other columns: figures label their groups next to the colors.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {shown.own && (
          <Button
            variant="ghost"
            size="sm"
            className="mr-auto"
            disabled={busy}
            onClick={() => onSave(null, 'Reset to the Dataset’s Own')}
          >
            Reset to the dataset’s own
          </Button>
        )}
        <DialogClose asChild>
          <Button variant="secondary" size="sm">
            Cancel
          </Button>
        </DialogClose>
        <Button size="sm" disabled={!isChanged || busy || repeated.size > 0} onClick={save}>
          {busy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </>
  );
}
