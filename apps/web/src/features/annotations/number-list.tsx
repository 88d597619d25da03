import type { NumberColumn } from '@cellfolio/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { formatCount } from '@/lib/format.ts';
import type { AnnotationActions } from './annotation-calls.ts';

interface NumberListProps {
  numbers: readonly NumberColumn[];
  version: string;
  action: AnnotationActions;
}

export function NumberList({ numbers, version, action }: NumberListProps) {
  const [columnToDelete, setColumnToDelete] = useState<NumberColumn | null>(null);
  if (numbers.length === 0) return null;
  return (
    <section aria-label="Columns of numbers" className="flex flex-col gap-1 border-t pt-3">
      <h4 className="text-[13px] font-medium">Columns of numbers</h4>
      <ul className="flex flex-col">
        {numbers.map((column) => (
          <li key={column.id} className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <p className="text-[13px]">
                <MiddleTruncated text={column.name} />
              </p>
              <p className="text-muted truncate text-xs" title={column.words}>
                {column.version === version
                  ? `${column.words} · ${formatCount(column.cells)} cells`
                  : 'From a previous version of the dataset'}
              </p>
            </div>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Delete ${column.name}`}
              disabled={action.isPending}
              onClick={() => setColumnToDelete(column)}
            >
              <Trash2 aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmQuestion
        open={columnToDelete !== null}
        title={`Delete ${columnToDelete?.name ?? ''}?`}
        action="Delete"
        onAction={() => columnToDelete !== null && action.mutate({ do: 'delete', of: columnToDelete })}
        onClose={() => setColumnToDelete(null)}
      >
        Its result is kept and can be added again. Images drawn from it are kept.
      </ConfirmQuestion>
    </section>
  );
}
