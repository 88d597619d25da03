import { maxListGenes } from '@cellfolio/contract';
import { ListPlus } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { freeName } from '@/lib/free-name.ts';
import { geneLists } from './gene-lists.ts';

const maxName = 100;

interface NamedGenes {
  name: string;
  genes: readonly string[];
}

interface SaveGenesFormProps {
  genes: readonly string[];
  suggestion: string;
  /** Genes by group, each saved as a list; called when the form is opened. */
  groups?: (() => readonly NamedGenes[]) | undefined;
  onSaved: () => void;
}

function useSaveGenes({ genes, suggestion, onSaved }: SaveGenesFormProps) {
  const { list: lists, create, ...saving } = useDocuments(geneLists);
  const taken = new Set(lists.data?.lists.map((list) => list.name));
  const max = Math.min(genes.length, maxListGenes);
  const [typed, setTyped] = useState<string | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const groupSaving = useSaveGroups(onSaved);
  const name = typed ?? freeName(suggestion, taken, maxName);
  const first = count ?? max;
  const isCount = Number.isInteger(first) && first >= 1 && first <= max;
  const busy = saving.isPending || groupSaving.done !== null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    // The form may stand in another one of the page.
    event.stopPropagation();
    if (!isCount || name.trim() === '' || busy) return;
    const newList = { name: name.trim(), genes: genes.slice(0, first) };
    const done = () => {
      const description = `${newList.name}: ${plural(newList.genes.length, 'gene')}.`;
      toast.success('Gene List Saved', { description });
      onSaved();
    };
    void create(newList, { done });
  };
  const error = groupSaving.error ?? saving.error;
  const ready = isCount && name.trim() !== '' && !busy;
  return {
    lists,
    taken,
    max,
    name,
    setTyped,
    first,
    isCount,
    setCount,
    save,
    ready,
    busy,
    error,
    isSaving: saving.isPending,
    groupSaving,
  };
}

export function SaveGenesForm(props: SaveGenesFormProps) {
  const { genes } = props;
  const [groups] = useState(() => props.groups?.() ?? []);
  const id = useId();
  const { lists, taken, max, first, groupSaving, ...form } = useSaveGenes(props);
  return (
    <form className="flex flex-col gap-2" onSubmit={form.save}>
      <Label htmlFor={`${id}-name`} className="text-[13px]">
        {genes.length === 1
          ? `Save ${genes[0]!} as a list`
          : `Save ${plural(genes.length, 'gene')} as a list`}
      </Label>
      <Input
        id={`${id}-name`}
        className="h-8 text-[13px]"
        maxLength={100}
        autoComplete="off"
        value={form.name}
        onChange={(event) => form.setTyped(event.target.value)}
      />
      {genes.length > 1 && (
        <div className="flex items-center gap-2 text-[13px]">
          <Label htmlFor={`${id}-count`} className="text-[13px] font-normal">
            The first
          </Label>
          <Input
            id={`${id}-count`}
            type="number"
            className="h-8 w-20 px-2 text-[13px] tabular-nums"
            min={1}
            max={max}
            aria-invalid={!form.isCount}
            value={Number.isNaN(first) ? '' : first}
            onChange={(event) => form.setCount(event.target.valueAsNumber)}
          />
          <span className="text-muted">of {formatCount(genes.length)}, in this order</span>
        </div>
      )}
      {genes.length > maxListGenes && (
        <p className="text-muted text-xs">A list has at most {maxListGenes} genes.</p>
      )}
      {form.error !== null && (
        <p role="alert" className="text-danger text-xs wrap-anywhere">
          {reasonOf(form.error)}
        </p>
      )}
      <Button type="submit" size="sm" disabled={!form.ready}>
        {form.isSaving ? 'Saving...' : 'Save list'}
      </Button>
      {groups.length > 1 && (
        <Button
          variant="secondary"
          size="sm"
          disabled={form.busy || !lists.isSuccess}
          onClick={() => void groupSaving.save(groups, taken)}
        >
          {groupSaving.done === null
            ? `One list for each of ${formatCount(groups.length)} groups`
            : `Saving ${formatCount(groupSaving.done + 1)} of ${formatCount(groups.length)}...`}
        </Button>
      )}
    </form>
  );
}

/** Saves a list for each group, one after the other, to show progress. */
function useSaveGroups(onSaved: () => void) {
  const { create } = useDocuments(geneLists);
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const save = async (groups: readonly NamedGenes[], before: ReadonlySet<string>) => {
    const usedNames = new Set(before);
    let saved = 0;
    setError(null);
    try {
      for (const group of groups) {
        setDone(saved);
        const name = freeName(group.name, usedNames, maxName);
        usedNames.add(name);
        // One after the other, so that those before a failure are all there.
        // oxlint-disable-next-line no-await-in-loop
        const list = { name, genes: group.genes.slice(0, maxListGenes) };
        await create(list, { followed: saved < groups.length - 1 });
        saved++;
      }
      toast.success('Gene Lists Saved', { description: `${plural(saved, 'list')}, one for each group.` });
      onSaved();
    } catch (cause) {
      const reason = reasonOf(cause as Error);
      setError(new Error(`${formatCount(saved)} of ${plural(groups.length, 'list')} saved. ${reason}`));
    } finally {
      setDone(null);
    }
  };
  return { save, done, error };
}

interface SaveGenesProps extends Omit<SaveGenesFormProps, 'onSaved' | 'genes'> {
  genes: () => readonly string[];
  disabled?: boolean;
}

export function SaveGenes({ disabled = false, genes, ...props }: SaveGenesProps) {
  const [opened, setOpened] = useState<readonly string[] | null>(null);
  return (
    <Popover open={opened !== null} onOpenChange={(isOpen) => setOpened(isOpen ? genes() : null)}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm" disabled={disabled}>
          <ListPlus aria-hidden />
          Save as List
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-80" aria-label="Save as a gene list">
        {opened !== null && <SaveGenesForm {...props} genes={opened} onSaved={() => setOpened(null)} />}
      </PopoverContent>
    </Popover>
  );
}
