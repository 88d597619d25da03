import { type FieldNote, type OfferedList, speciesNote } from '@cellfolio/analyses';
import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { List, Upload } from 'lucide-react';
import { FileButton } from '@/components/file-button.tsx';
import { GeneNoteLine } from '@/components/gene-note.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { geneLists } from '@/features/gene-lists/index.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { ChoiceField } from './choice-field.tsx';
import { type ListSource, noLists, type CustomList, ownListChoice, ownListProblem } from './list-sources.ts';

export function useOfferedLists(
  source: ListSource | undefined,
  dataset: DatasetAnalysis,
): UseQueryResult<readonly OfferedList[]> {
  const { api } = useServices();
  return useQuery(source?.query(api, dataset) ?? noLists);
}

interface ListFieldProps {
  dataset: DatasetAnalysis;
  source: ListSource;
  label: string;
  /** How much of the chosen list the dataset has. */
  note: FieldNote | undefined;
  /** Name of a list, or `ownListChoice`. */
  value: string;
  onChange: (value: string) => void;
  /** The user's own list, where the source takes one. */
  own: string;
  onOwn: (text: string) => void;
}

/** The choice of a list of the server, or of the user's own. */
export function ListField(props: ListFieldProps) {
  const { dataset, source, label, note, value, onChange, own, onOwn } = props;
  const offered = useOfferedLists(source, dataset);
  const offeredLists = offered.data ?? [];
  const isOwn = source.own !== undefined && value === ownListChoice;
  const chosen = offeredLists.find(({ name }) => name === value);
  const forSpecies = chosen?.species === undefined ? undefined : speciesNote(dataset.species, chosen.species);
  const text = note?.problem ?? note?.hint;
  const { End } = source;
  return (
    <>
      <ChoiceField
        label={label}
        choices={[
          ...offeredLists.map(({ name, title }) => ({ value: name, label: title })),
          ...(chosen || isOwn ? [] : [{ value, label: source.titleOf(value) }]),
          ...(source.own ? [{ value: ownListChoice, label: 'Your own list' }] : []),
        ]}
        value={value}
        onChange={onChange}
        about={
          offered.isError ? (
            <>
              The {source.many} could not be loaded. {offered.error.message}{' '}
              <Button variant="link" size="inline" className="text-xs" onClick={() => void offered.refetch()}>
                Try again
              </Button>
            </>
          ) : chosen ? (
            chosen.about
          ) : isOwn ? (
            source.own?.about
          ) : offered.isPending ? (
            `Loading the ${source.many}...`
          ) : (
            `This ${source.one} is no longer available: choose another one.`
          )
        }
      />
      <GeneNoteLine note={forSpecies} />
      {!isOwn && !forSpecies?.isRefused && text !== undefined && (
        <GeneNoteLine note={{ text, isRefused: note?.problem !== undefined }} />
      )}
      {isOwn && source.own && <CustomListField list={source.own} text={own} onText={onOwn} />}
      {End && <End />}
    </>
  );
}

interface CustomListFieldProps {
  list: CustomList;
  text: string;
  onText: (text: string) => void;
}

function CustomListField({ list, text, onText }: CustomListFieldProps) {
  const { label, fileLabel, placeholder, withGeneLists } = list;
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
      <Field label={label} error={text === '' ? undefined : ownListProblem(text, list)}>
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
        {withGeneLists && <AddGeneLists onAdd={(lists) => onText(withGeneLists(text, lists))} />}
      </div>
    </div>
  );
}

interface AddGeneListsProps {
  onAdd: (lists: readonly { name: string; genes: readonly string[] }[]) => void;
}

function AddGeneLists({ onAdd }: AddGeneListsProps) {
  const lists = useDocuments(geneLists).list.data?.lists ?? [];
  if (lists.length === 0) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      title="Each gene list becomes a type; edit the list afterwards."
      onClick={() => onAdd(lists)}
    >
      <List aria-hidden />
      {`Add my ${plural(lists.length, 'gene list')}`}
    </Button>
  );
}
