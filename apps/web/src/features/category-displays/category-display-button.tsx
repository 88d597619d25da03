import { type MapColumnList, maxDisplayedCategories } from '@cellfolio/contract';
import { Palette } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { PaletteButton } from '@/components/palette-button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { useUserId } from '@/lib/services.ts';

/** Loaded on demand: maps that other sites frame never show it. */
const CategoryDisplayDialog = lazy(async () => {
  const { CategoryDisplayDialog: dialog } = await import('./category-display-dialog.tsx');
  return { default: dialog };
});

type ObsColumn = MapColumnList['obs'][number];

interface CategoryDisplayButtonProps {
  filename: string;
  column: ObsColumn | undefined;
  compact?: boolean;
}

/**
 * Opens the order, colours and names of a column's categories; renders nothing for a column that cannot be ordered.
 * An annotation has its own, which are edited with its labels; a visitor has nowhere to keep any.
 */
export function CategoryDisplayButton({ filename, column, compact = false }: CategoryDisplayButtonProps) {
  const [open, setOpen] = useState(false);
  const isVisitor = useUserId() === '';
  if (isVisitor || column?.kind !== 'categories' || column.own === true) return null;
  if ((column.categories ?? 0) > maxDisplayedCategories) return null;
  const show = () => setOpen(true);
  const about = `Order, colors and names of ${column.title}`;
  return (
    <>
      {compact ? (
        <PaletteButton about={about} onClick={show} />
      ) : (
        <Button
          variant="ghost"
          size="xs"
          className="-ml-1.5 h-auto shrink-0 justify-start gap-1.5 px-1.5 py-1 text-left whitespace-normal"
          onClick={show}
        >
          <Palette aria-hidden className="size-3.5!" />
          Order, colors and names…
        </Button>
      )}
      <Suspense>
        {open && <CategoryDisplayDialog {...{ filename, column }} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
