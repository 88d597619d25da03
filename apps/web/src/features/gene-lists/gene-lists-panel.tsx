import type { GeneList } from '@cellfolio/contract';
import { Eye, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { DropdownMenuItem } from '@/components/ui/dropdown-menu.tsx';
import { toast } from '@/components/ui/toast.ts';
import { DocumentRow, ListState, useDocuments } from '@/features/documents/index.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useFindGenes } from '@/features/genes/index.ts';
import { copyText } from '@/lib/copy-text.ts';
import { GeneListDialog } from './gene-list-dialog.tsx';
import { factsOf } from './gene-list-menu.tsx';
import { geneLists } from './gene-lists.ts';
import { missingText } from './read-words.ts';

interface GeneListsPanelProps {
  index: GeneIndex;
  onSendGenes: (genes: readonly string[]) => void;
}

export function GeneListsPanel({ index, onSendGenes }: GeneListsPanelProps) {
  const { list, remove } = useDocuments(geneLists);
  /** `new` for a list not saved yet. */
  const [edited, setEdited] = useState<GeneList | 'new' | null>(null);
  return (
    <div className="flex flex-col gap-3">
      <ListState list={list} noun="gene lists">
        {({ lists }) => (
          <>
            {lists.length === 0 ? (
              <p className="text-muted text-[13px]">
                Save genes under a name for every dataset: paste them, save the genes of a box, or save
                markers from a result. Only you see your lists.
              </p>
            ) : (
              <ul aria-label="Gene lists" className="-mx-1 flex max-h-80 flex-col overflow-y-auto">
                {lists.map((one) => (
                  <ListRow
                    key={one.id}
                    list={one}
                    index={index}
                    onEdit={() => setEdited(one)}
                    onRemove={() => void remove(one.id)}
                    onSendGenes={onSendGenes}
                  />
                ))}
              </ul>
            )}
            <Button variant="secondary" size="sm" className="self-start" onClick={() => setEdited('new')}>
              <Plus aria-hidden />
              New gene list
            </Button>
          </>
        )}
      </ListState>
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
  onRemove: () => void;
}

function ListRow({ list, index, onEdit, onRemove, onSendGenes }: ListRowProps) {
  const { name, genes } = list;
  const findGenes = useFindGenes(index);
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
    <DocumentRow
      name={name}
      className="hover:bg-surface-2 rounded"
      open={{ label: `Edit ${name}`, title: genes.slice(0, 30).join(', '), onOpen: onEdit }}
      content={
        <>
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="text-muted shrink-0 text-[11px] tabular-nums">{facts}</span>
        </>
      }
      actions={
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Visualize ${name}`}
          title="Add its genes to Gene Visualization"
          onClick={() => void visualize()}
        >
          <Eye aria-hidden />
        </Button>
      }
      items={
        <>
          <DropdownMenuItem onSelect={onEdit}>Rename or edit</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => void copy()}>Copy genes</DropdownMenuItem>
        </>
      }
      remove={{ note: 'Genes selected in boxes and drawn images are kept.', onRemove }}
    />
  );
}
