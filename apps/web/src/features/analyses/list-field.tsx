import type { DatasetAnalysis } from '@cellfolio/contract';
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { FileButton } from '@/components/file-button.tsx';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural } from '@/lib/format.ts';
import { type GeneNote, GeneNoteLine, speciesNote } from '@/lib/gene-species.tsx';
import { useServices } from '@/lib/services.ts';
import { ChoiceField } from './choice-field.tsx';

export interface OfferedList {
  name: string;
  label: string;
  release: string;
  licence: string;
  species: string;
  count: number;
  /** Markers or pairs: of the list, of those the ones in the dataset, and the markers of the largest type there. */
  total: number;
  foundCount: number;
  largestType: number;
}

/** Where a form's lists come from: its answer says how much of each a dataset has. */
export interface ListSource {
  path: `/api/${string}`;
  answer: z.ZodType<readonly OfferedList[]>;
}

export function useOfferedLists(
  source: ListSource | undefined,
  { dataset_filename: dataset, version }: DatasetAnalysis,
): UseQueryResult<readonly OfferedList[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['offered-lists', source?.path, dataset, version],
    queryFn:
      source === undefined
        ? skipToken
        : ({ signal }) =>
            api({
              path: `${source.path}?dataset=${encodeURIComponent(dataset)}`,
              answer: source.answer,
              signal,
            }),
    staleTime: 3_600_000,
  });
}

/** Whether the server would refuse a list: its species cannot be mapped, or `note` says that too little is found. */
export function isRefusedList(
  species: DatasetAnalysis['species'],
  list: OfferedList | undefined,
  note: (list: OfferedList) => GeneNote,
): boolean {
  if (list === undefined) return false;
  return speciesNote(species, list.species)?.isRefused === true || note(list).isRefused;
}

/** Represents the user's own list among those of the server; their names contain no blank. */
export const ownListChoice = 'own list';

interface ListFieldProps {
  dataset: DatasetAnalysis;
  source: ListSource;
  label: string;
  /** Nouns for one entry and for the lists: `pair` and `sets of pairs`. */
  entry: string;
  lists: string;
  /** Says how much of a list the dataset has. */
  note: (list: OfferedList) => GeneNote;
  value: string;
  onChange: (value: string) => void;
  own: TypedListProps & { about: string };
}

export function ListField(props: ListFieldProps) {
  const { dataset, source, label, entry, lists, note, value, onChange, own } = props;
  const offered = useOfferedLists(source, dataset);
  const offeredLists = offered.data ?? [];
  const isOwn = value === ownListChoice;
  const chosen = offeredLists.find(({ name }) => name === value);
  const forSpecies = chosen && speciesNote(dataset.species, chosen.species);
  const names = [...offeredLists.map(({ name }) => name), ...(chosen || isOwn ? [] : [value])];
  return (
    <>
      <ChoiceField
        label={label}
        choices={[
          ...names.map((name) => ({ value: name, label: name })),
          { value: ownListChoice, label: 'Your own list' },
        ]}
        value={value}
        onChange={onChange}
        about={
          offered.isError
            ? `The ${lists} could not be loaded. ${offered.error?.message ?? ''}`
            : chosen
              ? listWords(chosen, entry)
              : isOwn
                ? own.about
                : offered.isPending
                  ? `Loading the ${lists}...`
                  : 'This set is no longer available: choose another one.'
        }
      />
      <GeneNoteLine note={forSpecies} />
      {!forSpecies?.isRefused && <GeneNoteLine note={chosen && note(chosen)} />}
      {isOwn && <TypedList {...own} />}
    </>
  );
}

function listWords({ label, release, licence, species, count }: OfferedList, entry: string): string {
  const parts = [plural(count, entry), label, release, `${species} genes`, licence];
  return `${parts.filter((part) => part !== '').join(' · ')}.`;
}

interface TypedListProps {
  label: string;
  fileLabel: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  /** Why it cannot be sent; undefined for an empty list. */
  problem: string | undefined;
  children?: ReactNode;
}

function TypedList({ label, fileLabel, placeholder, text, onText, problem, children }: TypedListProps) {
  const read = async (chosen: File) => {
    try {
      onText(await chosen.text());
    } catch (error) {
      console.warn('A list could not be read.', error);
      toast.error('The file could not be read', { description: `${chosen.name}: choose it again.` });
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} error={text === '' ? undefined : problem}>
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            spellCheck={false}
            className="font-mono text-xs"
            placeholder={placeholder}
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <FileButton
          fileLabel={fileLabel}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          variant="secondary"
          size="sm"
          onFiles={([file]) => void read(file)}
        >
          <Upload aria-hidden />
          Choose a CSV file
        </FileButton>
        {children}
      </div>
    </div>
  );
}

interface TypedListRule {
  /** Noun, such as `pairs`. */
  entries: string;
  max: number;
  headings: readonly (readonly [pattern: RegExp, name: string])[];
}

/** Why a user's own list cannot be sent; undefined if it can. The server parses it line by line. */
export function ownListProblem(text: string, { entries, max, headings }: TypedListRule): string | undefined {
  if (text.trim() === '') return `Paste ${entries}, or choose a file.`;
  if (text.length > max) {
    return `The list has ${text.length.toLocaleString('en-US')} characters; the maximum is ${max.toLocaleString('en-US')}.`;
  }
  const heading = text.split(/\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (headings.every(([pattern]) => pattern.test(heading))) return undefined;
  return `The first line must name the columns ${headings.map(([, name]) => name).join(' and ')}.`;
}
