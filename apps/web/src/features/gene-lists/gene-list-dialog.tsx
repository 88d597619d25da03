import type { GeneList } from '@cellfolio/contract';
import { maxListGenes } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useMemo, useState } from 'react';
import { CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { useDocuments } from '@/features/documents/index.ts';
import type { GeneIndex, ReadGenes } from '@/features/genes/index.ts';
import { otherNamesQuery, pastedNames, readGenes } from '@/features/genes/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { freeName } from '@/lib/free-name.ts';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';
import { geneLists } from './gene-lists.ts';
import { mendedText, missingText, repeatedText } from './read-words.ts';

interface GeneListDialogProps {
  /** Absent for a new list. */
  list?: GeneList;
  /** Index of the open dataset, used to correct names. */
  index?: GeneIndex;
  onClose: () => void;
  onSaved?: (list: GeneList) => void;
}

function useGeneListForm({ list, index, onClose, onSaved }: GeneListDialogProps) {
  const { list: lists, create, change, isPending, error } = useDocuments(geneLists);
  const [typed, setName] = useState(list?.name ?? null);
  const [text, setText] = useState(list?.genes.join(', ') ?? '');
  const [keeps, setKeeps] = useState(true);
  const { read, lookup, isLookingUp } = useReadText(text, index);
  const name = typed ?? freeName('My genes', new Set(lists.data?.lists.map((other) => other.name)), 100);
  const genes = keeps ? read.all : read.genes;
  const excess = genes.length - maxListGenes;
  const ready = name.trim() !== '' && genes.length > 0 && excess <= 0 && !isLookingUp;
  const save = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may have been opened from another form.
    event.stopPropagation();
    if (!ready || isPending) return;
    const newList = { name: name.trim(), genes };
    const done = (saved: GeneList) => {
      onSaved?.(saved);
      onClose();
    };
    void (list
      ? change(list.id, { revision: list.revision, ...newList }, { done })
      : create(newList, { done }));
  };
  return {
    name,
    setName,
    text,
    setText,
    keeps,
    setKeeps,
    genes,
    excess,
    read,
    lookup,
    isLookingUp,
    ready,
    save,
    isPending,
    error,
  };
}

export function GeneListDialog(props: GeneListDialogProps) {
  const { list, index, onClose } = props;
  const { read, lookup, excess, isPending, error, ...form } = useGeneListForm(props);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle className="pr-6 wrap-anywhere">
          {list ? `Edit ${list.name}` : 'New gene list'}
        </DialogTitle>
        <DialogDescription>
          {index === undefined
            ? 'Names are kept as they are.'
            : 'Names are changed to those of the open dataset; changes are listed below.'}
        </DialogDescription>
        <form className="flex min-h-0 flex-col gap-4" onSubmit={form.save}>
          <Field label="Name">
            {(control) => (
              <Input
                {...control}
                maxLength={100}
                autoComplete="off"
                value={form.name}
                onChange={(event) => form.setName(event.target.value)}
              />
            )}
          </Field>
          <Field
            label="Genes"
            hint="Symbols or Ensembl ids, separated by commas, semicolons, spaces, tabs or line breaks."
            error={excess > 0 && `A list has at most ${maxListGenes} genes: remove ${formatCount(excess)}.`}
          >
            {(control) => (
              <Textarea
                {...control}
                value={form.text}
                placeholder="CD3D, CD3E, CD20, PD-1"
                spellCheck={false}
                autoCapitalize="characters"
                className="max-h-60 min-h-28 text-[13px]"
                onChange={(event) => form.setText(event.target.value)}
              />
            )}
          </Field>
          <ReadReport read={read} count={form.genes.length} isLookingUp={form.isLookingUp} />
          {read.missing.length > 0 && (
            <CheckOption checked={form.keeps} onChange={form.setKeeps}>
              {`Keep the ${plural(read.missing.length, 'name')} missing from this dataset, for other datasets`}
            </CheckOption>
          )}
          {lookup.isError && (
            <p className="text-warning text-xs">
              Ensembl ids could not be looked up. {reasonOf(lookup.error)}{' '}
              <Button variant="link" size="inline" className="text-xs" onClick={() => void lookup.refetch()}>
                Try again
              </Button>
            </p>
          )}
          {error !== null && (
            <p role="alert" className="text-danger text-[13px] wrap-anywhere">
              {reasonOf(error)}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!form.ready || isPending}>
              {isPending ? 'Saving...' : 'Save list'}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** Parses a text as gene names of the dataset; without a dataset they stay unchanged. */
function useReadText(text: string, index: GeneIndex | undefined) {
  const { api } = useServices();
  const names = useMemo(() => pastedNames(text), [text]);
  const missingNames = useMemo(
    () => (index?.dataset === undefined ? '' : readGenes(names, index).missing.join('\n')),
    [names, index],
  );
  // Names have no white space here.
  const settled = useSettled(missingNames);
  const lookup = useQuery({
    ...otherNamesQuery(api, index?.dataset, settled === '' ? [] : settled.split('\n')),
    placeholderData: keepPreviousData,
  });
  const read = useMemo(() => {
    if (index === undefined) return asTheyAre(names);
    const geneMatches = readGenes(names, index, lookup.data);
    const symbols = new Map(geneMatches.mended.map(({ given: input, gene }) => [input, gene]));
    return { ...geneMatches, all: [...new Set(names.map((name) => symbols.get(name) ?? name))] };
  }, [names, index, lookup.data]);
  return {
    read,
    lookup,
    isLookingUp: missingNames !== '' && (missingNames !== settled || lookup.isFetching),
  };
}

/** Without a dataset no name is corrected or missing. */
function asTheyAre(names: readonly string[]): ReadGenes & { all: string[] } {
  const genes = [...new Set(names)];
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return { genes, mended: [], missing: [], repeated: [...repeated], ambiguous: [], all: genes };
}

function ReadReport({ read, count, isLookingUp }: { read: ReadGenes; count: number; isLookingUp: boolean }) {
  return (
    <div role="status" className="text-muted flex flex-col gap-1 text-xs wrap-anywhere">
      <p>
        {plural(count, 'gene')}.{isLookingUp && ` Looking up ${plural(read.missing.length, 'name')}...`}
      </p>
      {read.mended.length > 0 && <p className="text-foreground">{mendedText(read)}</p>}
      {read.missing.length > 0 && !isLookingUp && <p className="text-warning">{missingText(read)}</p>}
      {read.repeated.length > 0 && <p>{repeatedText(read)}</p>}
    </div>
  );
}
