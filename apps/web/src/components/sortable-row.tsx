import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';

interface SortableRowProps {
  id: string;
  name: string;
  /** Noun, as in “movable group”. */
  noun: string;
  busy: boolean;
  children: ReactNode;
}

/** A row of a `Sortable` list, moved by its handle, also by keyboard. */
export function SortableRow({ id, name, noun, busy, children }: SortableRowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id, disabled: busy, attributes: { roleDescription: `movable ${noun}` } });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'bg-surface flex items-center gap-1.5 border-t py-1 pr-1.5 first:border-t-0',
        isDragging && 'relative z-10 shadow-lg',
      )}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
        className="text-muted hover:bg-surface-2 flex h-7 w-5 shrink-0 cursor-grab touch-none items-center justify-center rounded-md"
      >
        <GripVertical aria-hidden className="size-3.5" />
      </button>
      {children}
    </li>
  );
}
