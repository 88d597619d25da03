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
  const { list: lists, create } = useDocuments(geneLists);
  const usedNames = new Set(lists.data?.lists.map((list) => list.name));
  const max = Math.min(genes.length, maxListGenes);
  const [typed, setTyped] = useState<string | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const [saving, setSaving] = useState<{ done: number; total: number } | null>(null);
  const [error, setError] = useState('');
  const name = typed ?? freeName(suggestion, usedNames, maxName);
  const first = count ?? max;
  const isCount = Number.isInteger(first) && first >= 1 && first <= max;
  const save = async (newLists: readonly NamedGenes[]) => {
    const total = newLists.length;
    let done = 0;
    setError('');
    try {
      for (const list of newLists) {
        setSaving({ done, total });
        // One after the other, so that those before a failure are all there.
        // oxlint-disable-next-line no-await-in-loop
        await create(list, { followed: done < total - 1 });
        done++;
      }
      const [{ name: saved, genes: of } = { name, genes }] = newLists;
      if (total > 1)
        toast.success('Gene Lists Saved', { description: `${plural(total, 'list')}, one for each group.` });
      else toast.success('Gene List Saved', { description: `${saved}: ${plural(of.length, 'gene')}.` });
      onSaved();
    } catch (cause) {
      const part = total > 1 ? `${formatCount(done)} of ${plural(total, 'list')} saved. ` : '';
      setError(`${part}${reasonOf(cause)}`);
    } finally {
      setSaving(null);
    }
  };
  const ready = isCount && name.trim() !== '' && saving === null;
  return { lists, usedNames, max, name, setTyped, first, isCount, setCount, save, saving, error, ready };
}

export function SaveGenesForm(props: SaveGenesFormProps) {
  const { genes } = props;
  const [groups] = useState(() => props.groups?.() ?? []);
  const id = useId();
  const { lists, max, first, saving, ...form } = useSaveGenes(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form may stand in another one of the page.
    event.stopPropagation();
    if (form.ready) void form.save([{ name: form.name.trim(), genes: genes.slice(0, first) }]);
  };
  const saveGroups = () => {
    const usedNames = new Set(form.usedNames);
    const newLists = groups.map((group) => {
      const name = freeName(group.name, usedNames, maxName);
      usedNames.add(name);
      return { name, genes: group.genes.slice(0, maxListGenes) };
    });
    void form.save(newLists);
  };
  return (
    <form className="flex flex-col gap-2" onSubmit={submit}>
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
      {form.error !== '' && (
        <p role="alert" className="text-danger text-xs wrap-anywhere">
          {form.error}
        </p>
      )}
      <Button type="submit" size="sm" disabled={!form.ready}>
        {saving?.total === 1 ? 'Saving...' : 'Save list'}
      </Button>
      {groups.length > 1 && (
        <Button
          variant="secondary"
          size="sm"
          disabled={saving !== null || !lists.isSuccess}
          onClick={saveGroups}
        >
          {saving === null || saving.total === 1
            ? `One list for each of ${formatCount(groups.length)} groups`
            : `Saving ${formatCount(saving.done + 1)} of ${formatCount(groups.length)}...`}
        </Button>
      )}
    </form>
  );
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
