import type { DatasetAnalysis } from '@cellfolio/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { FileButton } from '@/components/file-button.tsx';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural } from '@/lib/format.ts';
import { SpeciesNoteLine, speciesNote } from '@/lib/gene-species.tsx';
import { ChoiceField } from './choice-field.tsx';

interface OfferedList {
  name: string;
  label: string;
  release: string;
  licence: string;
  species: string;
  count: number;
}

/** Represents the user's own list among those of the server; their names contain no blank. */
export const ownListChoice = 'own list';

interface ListFieldProps {
  /** Species of the genes of the dataset. */
  species: DatasetAnalysis['species'];
  label: string;
  /** Nouns for one entry and for the lists: `pair` and `sets of pairs`. */
  entry: string;
  lists: string;
  offered: Pick<UseQueryResult<readonly OfferedList[]>, 'data' | 'isError' | 'isPending' | 'error'>;
  value: string;
  onChange: (value: string) => void;
  own: TypedListProps & { about: string };
}

export function ListField({ species, label, entry, lists, offered, value, onChange, own }: ListFieldProps) {
  const offeredLists = offered.data ?? [];
  const isOwn = value === ownListChoice;
  const chosen = offeredLists.find(({ name }) => name === value);
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
      <SpeciesNoteLine note={chosen && speciesNote(species, chosen.species)} />
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
