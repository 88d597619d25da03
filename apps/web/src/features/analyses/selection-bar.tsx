import { Eye, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { SaveGenes } from '@/features/gene-lists/index.ts';
import type { TableColumns } from '@/features/tables/index.ts';
import { plural } from '@/lib/format.ts';
import { genesOf } from './result-table.ts';
import type { TableView } from './use-table-view.ts';

interface SelectionBarProps {
  table: TableColumns;
  view: TableView;
  suggestion: string;
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  renderMore?: (genes: readonly string[]) => ReactNode;
}

export function SelectionBar(props: SelectionBarProps) {
  const { table, view, suggestion, genesPerCall, onSendGenes, renderMore } = props;
  const { selected } = view;
  if (selected.size === 0) return null;
  const genes = genesOf(
    table,
    Array.from(selected).toSorted((a, b) => a - b),
  );
  const plotted = genes.slice(0, genesPerCall);
  return (
    <div
      role="group"
      aria-label="Selected genes"
      className="bg-surface-2 flex shrink-0 flex-wrap items-center gap-2 rounded-md px-2 py-1 text-[13px]"
    >
      <p role="status" className="min-w-0 flex-1 truncate" title={genes.slice(0, 100).join(', ')}>
        <span className="font-medium">{plural(genes.length, 'gene')} selected:</span>{' '}
        <span className="text-muted">{genes.slice(0, 30).join(', ')}</span>
      </p>
      <Button
        variant="ghost"
        size="xs"
        aria-pressed={view.isAlone}
        onClick={() => view.showAlone(!view.isAlone)}
      >
        {view.isAlone ? 'Show all rows' : 'Show these alone'}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => onSendGenes(plotted)}>
        <Eye aria-hidden />
        {`Visualize ${genes.length > plotted.length ? `First ${plotted.length} of ` : ''}${plural(genes.length, 'Selected Gene')}`}
      </Button>
      {renderMore?.(genes)}
      <SaveGenes genes={() => genes} suggestion={suggestion} />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Clear the selection"
        onClick={() => view.select([], 'only')}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
