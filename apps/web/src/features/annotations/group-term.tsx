import { type GroupTerm as Term, ontologies, ontologyTerms } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { ComboboxInput, ComboboxList } from '@/components/ui/combobox.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';

interface GroupTermProps {
  group: string;
  term: Term | undefined;
  busy: boolean;
  onChoose: (term: Term | null) => void;
}

/** The term of the Cell Ontology that a group is, with a search for another one. */
export function GroupTerm({ group, term, busy, onChoose }: GroupTermProps) {
  const [open, setOpen] = useState(false);
  const choose = (next: Term | null) => {
    setOpen(false);
    if (next?.id !== term?.id) onChoose(next);
  };
  const title = term === undefined ? `Cell Ontology term of ${group}` : `${term.label} (${term.id})`;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          className={cn('size-6 shrink-0', term !== undefined && 'text-accent')}
          aria-label={term === undefined ? title : `Cell Ontology term of ${group}: ${title}`}
          title={title}
          disabled={busy}
        >
          <Tag aria-hidden className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-80 p-3" aria-label={`Cell Ontology term of ${group}`}>
        <TermSearch group={group} term={term} onChoose={choose} />
      </PopoverContent>
    </Popover>
  );
}

const shownTerms = 8;
const steps = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

function TermSearch({ group, term, onChoose }: Omit<GroupTermProps, 'busy'>) {
  const id = useId();
  const [text, setText] = useState(term?.label ?? group);
  const [active, setActive] = useState(0);
  const { data, isError, isFetching } = useTerms(text);
  const terms = data?.terms ?? [];
  const choose = ({ id: termId, label }: Term) => onChoose({ id: termId, label });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = steps.get(event.key);
    if (step !== undefined && terms.length > 0) {
      event.preventDefault();
      setActive((active + step + terms.length) % terms.length);
    }
    const chosen = terms[active];
    if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Label htmlFor={id} className="text-[13px]">
        Cell Ontology term
      </Label>
      <ComboboxInput
        id={id}
        open={terms.length > 0}
        active={terms[active] ? active : -1}
        aria-describedby={`${id}-note`}
        className="h-8 text-[13px]"
        maxLength={100}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {terms.length > 0 && (
        <ComboboxList
          id={id}
          label="Terms"
          options={terms}
          active={active}
          keyOf={(one) => one.id}
          onChoose={choose}
          className="max-h-96 overflow-y-auto"
        >
          {({ id: termId, label, synonym }) => (
            <>
              <span className="flex items-baseline justify-between gap-2">
                <span className="min-w-0 wrap-anywhere">{label}</span>
                <span className="text-muted shrink-0 text-xs tabular-nums">{termId}</span>
              </span>
              {synonym !== undefined && <span className="text-muted block text-xs">also {synonym}</span>}
            </>
          )}
        </ComboboxList>
      )}
      <p id={`${id}-note`} role="status" className="text-muted text-xs">
        {isError && 'The terms could not be loaded. Type again to retry.'}
        {!isError && data && terms.length === 0 && !isFetching && 'No term has these words.'}
        {!isError && data && terms.length > 0 && `Cell Ontology ${data.release}, ${ontologies.CL.license}`}
      </p>
      {term !== undefined && (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => onChoose(null)}>
          Remove the term
        </Button>
      )}
    </div>
  );
}

function useTerms(text: string) {
  const { api } = useServices();
  const query = useSettled(text.trim());
  return useQuery({
    queryKey: ['ontology-terms', 'CL', query],
    enabled: query !== '',
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api({
        path: `/api/ontology-terms?${new URLSearchParams({ ontology: 'CL', query, limit: String(shownTerms) })}`,
        answer: ontologyTerms,
        signal,
      }),
  });
}
