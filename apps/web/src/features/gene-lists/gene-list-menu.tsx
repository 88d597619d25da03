import type { GeneList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { readGenes } from '@/features/genes/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { failureText, geneListsQuery } from './gene-list-calls.ts';
import { GeneListDialog } from './gene-list-dialog.tsx';
import { SaveGenesForm } from './save-genes.tsx';

interface GeneListMenuProps {
  label: string;
  /** Absent when genes of any dataset are accepted. */
  index?: GeneIndex;
  genes: readonly string[];
  onChoose: (list: GeneList) => void;
}

export function GeneListMenu({ label, index, genes, onChoose }: GeneListMenuProps) {
  const [open, setOpen] = useState(false);
  const [pasting, setPasting] = useState(false);
  const choose = (list: GeneList) => {
    onChoose(list);
    setOpen(false);
  };
  return (
    <>
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="xs" aria-label={`Gene lists: ${label}`}>
            <ListPlus aria-hidden />
            Lists
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="flex w-80 flex-col gap-3 p-3" aria-label="Gene lists">
          <Lists {...(index && { index })} onChoose={choose}>
            <Button
              variant="secondary"
              size="sm"
              onClick={() => {
                setOpen(false);
                setPasting(true);
              }}
            >
              New list from a paste
            </Button>
          </Lists>
          {genes.length > 0 && (
            <div className="border-t pt-3">
              <SaveGenesForm genes={genes} suggestion="My genes" onSaved={() => setOpen(false)} />
            </div>
          )}
        </PopoverContent>
      </Popover>
      {pasting && (
        <GeneListDialog {...(index && { index })} onClose={() => setPasting(false)} onSaved={onChoose} />
      )}
    </>
  );
}

interface ListsProps {
  index?: GeneIndex;
  onChoose: (list: GeneList) => void;
  children: ReactNode;
}

const searchFrom = 9;

function Lists({ index, onChoose, children }: ListsProps) {
  const { api } = useServices();
  const lists = useQuery(geneListsQuery(api));
  const [query, setQuery] = useState('');
  const facts = useMemo(
    () => new Map(lists.data?.map((list) => [list.id, factsOf(list, index)])),
    [lists.data, index],
  );
  if (lists.isPending) return <Skeleton className="h-16" />;
  if (lists.isError) {
    return (
      <div role="alert" className="text-danger flex flex-col items-start gap-2 text-[13px]">
        The gene lists could not be read. {failureText(lists.error)}
        <Button variant="secondary" size="xs" onClick={() => void lists.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  const text = query.trim().toLowerCase();
  const matches = lists.data.filter(({ name }) => name.toLowerCase().includes(text));
  return (
    <>
      {lists.data.length >= searchFrom && (
        <Input
          type="search"
          className="h-8 text-[13px]"
          aria-label="Find a gene list"
          placeholder="Find a list"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {lists.data.length === 0 ? (
        <p className="text-muted text-[13px]">
          No gene lists yet. Paste one here, or save selected genes or markers.
        </p>
      ) : (
        <ul aria-label="Gene lists" className="-mx-1 max-h-60 overflow-y-auto">
          {matches.map((list) => (
            <li key={list.id}>
              <button
                type="button"
                title={list.genes.slice(0, 30).join(', ')}
                className="hover:bg-surface-2 flex w-full items-baseline gap-2 rounded px-2 py-1 text-left text-[13px]"
                onClick={() => onChoose(list)}
              >
                <span className="min-w-0 flex-1 truncate">{list.name}</span>
                <span className="text-muted shrink-0 text-[11px] tabular-nums">{facts.get(list.id)}</span>
              </button>
            </li>
          ))}
          {matches.length === 0 && <li className="text-muted px-2 text-xs">No matching list.</li>}
        </ul>
      )}
      {children}
    </>
  );
}

/** `15 genes`, or how many of them the dataset has. */
export function factsOf({ genes }: GeneList, index: GeneIndex | undefined): string {
  const here = index === undefined ? genes.length : readGenes(genes, index).genes.length;
  return here === genes.length
    ? plural(genes.length, 'gene')
    : `${formatCount(here)} of ${plural(genes.length, 'gene')} here`;
}
