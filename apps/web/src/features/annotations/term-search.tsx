import { type GroupTerm as Term, ontologies, type OntologyName, ontologyTerms } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { ComboboxInput, ComboboxList } from '@/components/ui/combobox.tsx';
import { Label } from '@/components/ui/form.tsx';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';

const shownTerms = 8;
const steps = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

interface TermSearchProps {
  ontology: OntologyName;
  /** Searched for at first. */
  text: string;
  onChoose: (term: Term) => void;
  /** Below the search. */
  children?: ReactNode;
}

/** A search for a term of an ontology, by words or id. */
export function TermSearch({ ontology, text: initialText, onChoose, children }: TermSearchProps) {
  const id = useId();
  const [text, setText] = useState(initialText);
  const [active, setActive] = useState(0);
  const { data, isError, isFetching } = useTerms(ontology, text);
  const { title, license } = ontologies[ontology];
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
        {title} term
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
        {!isError && data && terms.length > 0 && `${title} ${data.release}, ${license}`}
      </p>
      {children}
    </div>
  );
}

function useTerms(ontology: OntologyName, text: string) {
  const { api } = useServices();
  const query = useSettled(text.trim());
  return useQuery({
    queryKey: ['ontology-terms', ontology, query],
    enabled: query !== '',
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api({
        path: `/api/ontology-terms?${new URLSearchParams({ ontology, query, limit: String(shownTerms) })}`,
        answer: ontologyTerms,
        signal,
      }),
  });
}
