import type { GeneList } from '@cellfolio/contract';
import { ListPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { ListState, useDocuments } from '@/features/documents/index.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { readGenes } from '@/features/genes/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { GeneListDialog } from './gene-list-dialog.tsx';
import { geneLists } from './gene-lists.ts';
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
  const { list } = useDocuments(geneLists, { enabled: open });
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
          <ListState list={list} noun="gene lists">
            {({ lists }) => <Lists lists={lists} {...(index && { index })} onChoose={choose} />}
          </ListState>
          {list.isSuccess && (
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
          )}
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
  lists: readonly GeneList[];
  index?: GeneIndex;
  onChoose: (list: GeneList) => void;
}

const searchFrom = 9;

function Lists({ lists, index, onChoose }: ListsProps) {
  const [query, setQuery] = useState('');
  const facts = useMemo(() => new Map(lists.map((list) => [list.id, factsOf(list, index)])), [lists, index]);
  const text = query.trim().toLowerCase();
  const matches = lists.filter(({ name }) => name.toLowerCase().includes(text));
  return (
    <>
      {lists.length >= searchFrom && (
        <Input
          type="search"
          className="h-8 text-[13px]"
          aria-label="Find a gene list"
          placeholder="Find a list"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {lists.length === 0 ? (
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
