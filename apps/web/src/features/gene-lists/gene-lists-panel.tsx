import type { GeneList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Ellipsis, Eye, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useFindGenes } from '@/features/genes/index.ts';
import { copyText } from '@/lib/copy-text.ts';
import { useServices } from '@/lib/services.ts';
import { failureText, geneListsQuery, toastFailure, useGeneListAction } from './gene-list-calls.ts';
import { GeneListDialog } from './gene-list-dialog.tsx';
import { factsOf } from './gene-list-menu.tsx';
import { missingText } from './read-words.ts';

interface GeneListsPanelProps {
  index: GeneIndex;
  onSendGenes: (genes: readonly string[]) => void;
}

export function GeneListsPanel({ index, onSendGenes }: GeneListsPanelProps) {
  const { api } = useServices();
  const lists = useQuery(geneListsQuery(api));
  /** `new` for a list not saved yet. */
  const [edited, setEdited] = useState<GeneList | 'new' | null>(null);
  if (lists.isPending) return <Skeleton className="h-16" />;
  if (lists.isError) {
    return (
      <Alert variant="danger" role="alert">
        <CircleAlert aria-hidden />
        <span className="flex flex-col items-start gap-2">
          The gene lists could not be read. {failureText(lists.error)}
          <Button variant="secondary" size="xs" onClick={() => void lists.refetch()}>
            Try again
          </Button>
        </span>
      </Alert>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {lists.data.length === 0 ? (
        <p className="text-muted text-[13px]">
          Save genes under a name for every dataset: paste them, save the genes of a box, or save markers from
          a result. Only you see your lists.
        </p>
      ) : (
        <ul aria-label="Gene lists" className="-mx-1 flex max-h-80 flex-col overflow-y-auto">
          {lists.data.map((list) => (
            <ListRow
              key={list.id}
              list={list}
              index={index}
              onEdit={() => setEdited(list)}
              onSendGenes={onSendGenes}
            />
          ))}
        </ul>
      )}
      <Button variant="secondary" size="sm" className="self-start" onClick={() => setEdited('new')}>
        <Plus aria-hidden />
        New gene list
      </Button>
      {edited !== null && (
        <GeneListDialog
          {...(edited !== 'new' && { list: edited })}
          index={index}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

interface ListRowProps extends GeneListsPanelProps {
  list: GeneList;
  onEdit: () => void;
}

function ListRow({ list, index, onEdit, onSendGenes }: ListRowProps) {
  const { name, genes } = list;
  const action = useGeneListAction();
  const findGenes = useFindGenes(index);
  const [asksDelete, setAsksDelete] = useState(false);
  const facts = useMemo(() => factsOf(list, index), [list, index]);
  const visualize = async () => {
    const read = await findGenes(genes);
    if (read.genes.length > 0) onSendGenes(read.genes);
    if (read.missing.length > 0) toast.warning(name, { description: missingText(read) });
  };
  const copy = () =>
    copyText(genes.join('\n')).then(
      () => toast.success('Copied to clipboard'),
      () =>
        toast.error('Copy failed', { description: 'Edit the list and copy its genes with the keyboard.' }),
    );
  return (
    <li className="hover:bg-surface-2 flex items-center gap-1 rounded pl-1 text-[13px]">
      <button
        type="button"
        aria-label={`Edit ${name}`}
        title={genes.slice(0, 30).join(', ')}
        className="flex min-w-0 flex-1 items-baseline gap-2 py-1 text-left"
        onClick={onEdit}
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="text-muted shrink-0 text-[11px] tabular-nums">{facts}</span>
      </button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Visualize ${name}`}
        title="Add its genes to Gene Visualization"
        onClick={() => void visualize()}
      >
        <Eye aria-hidden />
      </Button>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label={`More about ${name}`} title="More">
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={onEdit}>Rename or edit</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => void copy()}>Copy genes</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsksDelete(true)}>Delete</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmQuestion
        open={asksDelete}
        title={`Delete ${name}?`}
        action="Delete"
        onAction={() =>
          action.mutate({ do: 'delete', of: list }, { onError: toastFailure('The list was not deleted.') })
        }
        onClose={() => setAsksDelete(false)}
      >
        Genes selected in boxes and drawn images are kept.
      </ConfirmQuestion>
    </li>
  );
}
