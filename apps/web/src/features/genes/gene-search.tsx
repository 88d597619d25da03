import { Search } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { ComboboxInput, ComboboxList } from '@/components/ui/combobox.tsx';
import { Label } from '@/components/ui/form.tsx';
import { formatCount, nameList } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';
import { otherNamesQuery, useFindGenes } from './find-genes.ts';
import type { GeneEntry, GeneIndex, MendedGene } from './gene-index.ts';
import { geneEntry, isGeneList, matchGene, pastedNames, readGenes, suggestGenes } from './gene-index.ts';

export interface GeneSearchProps {
  ref?: Ref<HTMLInputElement> | undefined;
  index: GeneIndex;
  label: string;
  hint?: string;
  action?: ReactNode;
  chosen: readonly string[];
  onAdd: (genes: string[]) => void;
  onRemoveLast: () => void;
  onConfirm?: (() => void) | undefined;
}

export function GeneSearch({
  ref,
  label,
  hint = 'Enter adds a gene; commas separate several.',
  action,
  ...entry
}: GeneSearchProps) {
  const id = useId();
  const { text, unknown, renamed, ambiguous, open, active, ...search } = useGeneEntry(entry);
  const absent = unknown.filter((name) => !ambiguous.some(({ input }) => input.toUpperCase() === name));
  const faults = [
    ...(absent.length > 0 ? [`Not in this dataset: ${nameList(absent, 10)}`] : []),
    ...ambiguous.map(
      ({ input, genes }) => `${input} may be ${nameList(genes, 10)}. Choose the one you mean.`,
    ),
  ].join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <Label htmlFor={id} className="text-[13px]">
          {label}
        </Label>
        {action}
      </div>
      <div className="relative">
        <Search aria-hidden className="text-muted pointer-events-none absolute top-2.5 left-2.5 size-4" />
        <ComboboxInput
          ref={ref}
          id={id}
          open={open}
          active={active}
          className="pl-8"
          aria-invalid={unknown.length > 0}
          aria-describedby={`${id}-note`}
          placeholder="CD3D, CST3, MS4A1"
          value={text}
          onChange={(event) => search.edit(event.target.value)}
          onKeyDown={search.onKeyDown}
          onBlur={() => search.setClosed(true)}
          onFocus={() => search.setClosed(false)}
          onPaste={(event) => {
            if (search.paste(event.clipboardData.getData('text'))) event.preventDefault();
          }}
        />
        {open && (
          <ComboboxList
            id={id}
            label="Matching genes"
            className="bg-surface absolute inset-x-0 top-full z-20 mt-1 rounded-md border p-1 shadow-lg"
            options={search.suggestions}
            active={active}
            keyOf={(symbol) => symbol}
            onChoose={search.choose}
          >
            {(symbol) => <SuggestedGene symbol={symbol} match={search.piece.trim()} />}
          </ComboboxList>
        )}
      </div>
      <div className="flex items-baseline justify-between gap-2">
        <p id={`${id}-note`} role="status" className="text-muted text-xs wrap-anywhere">
          {renamed.length > 0 && `${renamedText(renamed)}. `}
          {faults === '' ? renamed.length === 0 && hint : <span className="text-danger">{faults}</span>}
        </p>
        {unknown.length > 0 && (
          <Button
            variant="link"
            size="inline"
            className="shrink-0 text-xs"
            onClick={() => {
              search.edit('');
              document.getElementById(id)?.focus();
            }}
          >
            {unknown.length === 1 ? 'Remove it' : `Remove all ${formatCount(unknown.length)}`}
          </Button>
        )}
      </div>
    </div>
  );
}

const nothing: Omit<GeneEntry, 'added'> = { renamed: [], unknown: [], ambiguous: [] };

function useGeneEntry({
  index,
  chosen,
  onAdd,
  onRemoveLast,
  onConfirm,
}: Pick<GeneSearchProps, 'index' | 'chosen' | 'onAdd' | 'onRemoveLast' | 'onConfirm'>) {
  const [text, setText] = useState('');
  const [closed, setClosed] = useState(false);
  const [active, setActive] = useState(-1);
  const [outcome, setOutcome] = useState(nothing);
  // Counts changes of the text: an answer to an earlier one is dropped.
  const changes = useRef(0);
  // After a comma the suggestions are for the piece being typed.
  const piece = text.slice(text.lastIndexOf(',') + 1);
  const suggestions = useSuggestions(index, piece, chosen);
  const findGenes = useFindGenes(index);
  const open = !closed && suggestions.length > 0;

  const edit = (next: string) => {
    changes.current++;
    setText(next);
    setActive(-1);
    setClosed(false);
    setOutcome(nothing);
  };
  const show = ({ added, ...rest }: GeneEntry) => {
    if (added.length > 0) onAdd(added);
    // What is not in the dataset stays in the box, to be corrected.
    edit(rest.unknown.join(', '));
    // The genes of a name that means several are offered.
    setClosed(rest.ambiguous.length === 0);
    setOutcome(rest);
  };
  const take = (names: readonly string[]) => {
    const read = readGenes(names, index);
    if (read.missing.length === 0 || index.dataset === undefined) show(geneEntry(read, chosen));
    else {
      const at = changes.current;
      void findGenes(names).then((matches) => at === changes.current && show(geneEntry(matches, chosen)));
    }
  };
  const choose = (symbol: string) => {
    const before = geneEntry(readGenes(text.slice(0, text.lastIndexOf(',') + 1).split(','), index), chosen);
    show(withSuggestion(before, piece.trim(), symbol));
  };
  /** @returns whether it was a list, and so was handled */
  const paste = (pasted: string): boolean => {
    if (!isGeneList(pasted)) return false;
    take(pastedNames(`${text} ${pasted}`));
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const symbol = open ? suggestions[active] : undefined;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        if (suggestions.length === 0) return;
        event.preventDefault();
        setClosed(false);
        setActive(placeAfter(active, event.key === 'ArrowDown' ? 1 : -1, suggestions.length));
        return;
      case 'Enter':
        event.preventDefault();
        if (symbol !== undefined) choose(symbol);
        else if (text.trim() === '') onConfirm?.();
        else take(text.split(','));
        return;
      case 'Escape':
        if (open) event.preventDefault();
        setClosed(true);
        setActive(-1);
        return;
      case 'Backspace':
        if (text === '') onRemoveLast();
        return;
      default:
    }
  };
  return {
    text,
    piece,
    suggestions,
    open,
    active,
    ...outcome,
    edit,
    choose,
    paste,
    onKeyDown,
    setClosed,
  };
}

/** Cycles through the suggestions and the box itself, at -1, where nothing is active. */
function placeAfter(active: number, step: 1 | -1, suggestions: number): number {
  const places = suggestions + 1;
  return ((active + 1 + step + places) % places) - 1;
}

function withSuggestion(before: GeneEntry, typed: string, symbol: string): GeneEntry {
  const renamed = isOtherName(typed, symbol) ? [{ given: typed, gene: symbol }] : [];
  return {
    ...before,
    added: [...before.added.filter((gene) => gene !== symbol), symbol],
    renamed: [...before.renamed, ...renamed],
  };
}

/** Genes that are called as the piece, and those whose symbols hold it. */
function useSuggestions(index: GeneIndex, piece: string, chosen: readonly string[]): readonly string[] {
  const others = useOtherNames(index, piece.trim());
  return useMemo(() => {
    const skip = new Set(chosen);
    const named = others.filter((symbol) => !skip.has(symbol));
    return [...new Set([...named, ...suggestGenes(index, piece, skip).symbols])];
  }, [index, piece, chosen, others]);
}

/** Symbols of the dataset for a former symbol or an alias that is being typed. */
function useOtherNames(index: GeneIndex, name: string): readonly string[] {
  const { api } = useServices();
  const settled = useSettled(name);
  const local = useMemo(() => {
    const isSymbol = settled.length < 2 || matchGene(index, settled) !== undefined;
    return readGenes(isSymbol ? [] : [settled], index);
  }, [index, settled]);
  const { data } = useQuery(otherNamesQuery(api, index.dataset, local.missing));
  return useMemo(() => {
    if (settled !== name) return [];
    const { genes, ambiguous } = local.missing.length === 0 ? local : readGenes(local.missing, index, data);
    return [...genes, ...ambiguous.flatMap((one) => one.genes)];
  }, [index, local, data, settled, name]);
}

/** `CD20 → MS4A1, PD-1 → PDCD1`. */
export function renamedText(renamed: readonly MendedGene[]): string {
  return nameList(
    renamed.map(({ given: input, gene }) => `${input} → ${gene}`),
    10,
  );
}

function SuggestedGene({ symbol, match }: { symbol: string; match: string }) {
  return (
    <>
      <MatchedText text={symbol} match={match} />
      {isOtherName(match, symbol) && (
        <>
          {' '}
          <span className="text-muted">({match})</span>
        </>
      )}
    </>
  );
}

/** Whether what was typed is another name of the gene, and no part of its symbol. */
function isOtherName(typed: string, symbol: string): boolean {
  return !symbol.toLowerCase().includes(typed.toLowerCase());
}

function MatchedText({ text, match }: { text: string; match: string }) {
  const start = match === '' ? -1 : text.toLowerCase().indexOf(match.toLowerCase());
  if (start < 0) return text;
  const end = start + match.length;
  return (
    <>
      {text.slice(0, start)}
      <strong className="font-semibold">{text.slice(start, end)}</strong>
      {text.slice(end)}
    </>
  );
}
