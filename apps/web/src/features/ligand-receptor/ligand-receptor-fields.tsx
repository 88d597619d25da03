import type { DatasetAnalysis, PairSet } from '@cellfolio/contract';
import { pairSets } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { GroupByField } from '@/features/markers/index.ts';
import { counted } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import {
  chosenGroups,
  groupNames,
  type LigandReceptorForm,
  ligandReceptorNumbers,
  ownPairsChoice,
  ownPairsProblem,
} from './ligand-receptor-form.ts';

interface LigandReceptorFieldsProps {
  analysis: DatasetAnalysis;
  form: LigandReceptorForm;
  onChange: (change: Partial<LigandReceptorForm>) => void;
}

/** Which groups are compared, which pairs are tested, and how. */
export function LigandReceptorFields({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  return (
    <>
      <GroupsField analysis={analysis} form={form} onChange={onChange} />
      <PairsField form={form} onChange={onChange} />
      <div className="grid grid-cols-2 gap-2">
        {ligandReceptorNumbers.map(({ field, step, ...parameter }) => (
          <NumberField
            key={field}
            parameter={parameter}
            step={step}
            value={form[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
      <p className="text-muted text-xs">
        A pair is tested where enough cells of one group express the ligand and enough of another, or of the
        same, the receptor. The labels of the cells are permuted; p is the share of permutations with a mean
        as high, and the seed makes them the same again.
      </p>
    </>
  );
}

function GroupsField({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  const names = groupNames(analysis, form.groupBy);
  const chosen = chosenGroups(form);
  return (
    <div className="flex flex-col gap-1.5">
      <GroupByField
        analysis={analysis}
        groupBy={form.groupBy}
        onChange={(groupBy) => onChange({ groupBy, groups: '' })}
      />
      {names.length > 2 && (
        <CheckOption
          checked={chosen !== undefined}
          onChange={(some) => onChange({ groups: some ? JSON.stringify(names) : '' })}
        >
          Only some of the groups
        </CheckOption>
      )}
      {chosen !== undefined && (
        <CheckList
          legend="Groups"
          items={names.map((name) => ({ value: name, label: name }))}
          checked={chosen}
          onChange={(groups) => onChange({ groups: JSON.stringify(groups) })}
        >
          {chosen.length < 2 && <p className="text-danger text-xs">Choose at least two groups.</p>}
        </CheckList>
      )}
    </div>
  );
}

type PairsFieldProps = Omit<LigandReceptorFieldsProps, 'analysis'>;

function PairsField({ form, onChange }: PairsFieldProps) {
  const { api } = useServices();
  const sets = useQuery({
    queryKey: ['ligand-receptor-pairs'],
    queryFn: ({ signal }) => api({ path: '/api/ligand-receptor-pairs', answer: pairSets, signal }),
    staleTime: 3_600_000,
  });
  const offered = sets.data?.sets ?? [];
  const isOwn = form.pairs === ownPairsChoice;
  const chosen = offered.find(({ name }) => name === form.pairs);
  const names = [...offered.map(({ name }) => name), ...(chosen || isOwn ? [] : [form.pairs])];
  return (
    <>
      <ChoiceField
        label="Pairs"
        choices={[
          ...names.map((name) => ({ value: name, label: name })),
          { value: ownPairsChoice, label: 'Your own list' },
        ]}
        value={form.pairs}
        onChange={(pairs) => onChange({ pairs })}
        about={
          sets.isError
            ? `The sets of pairs could not be loaded. ${sets.error.message}`
            : chosen
              ? setWords(chosen)
              : isOwn
                ? 'Names of genes as the dataset has them; subunits of a complex joined by + or _.'
                : sets.isPending
                  ? 'Loading the sets of pairs...'
                  : 'The server does not have this set any more: choose another one.'
        }
      />
      {isOwn && <OwnPairs form={form} onChange={onChange} />}
    </>
  );
}

function setWords({ label, release, licence, species, pair_count: count }: PairSet): string {
  const parts = [counted(count, 'pair'), label, release, `${species} genes`, licence];
  return `${parts.filter((part) => part !== '').join(' · ')}.`;
}

function OwnPairs({ form, onChange }: PairsFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const problem = form.ownPairs === '' ? undefined : ownPairsProblem(form);
  const read = async (chosen: File) => {
    try {
      onChange({ ownPairs: await chosen.text() });
    } catch (error) {
      console.warn('A list of pairs could not be read.', error);
      toast.error('The file could not be read', { description: `${chosen.name}: choose it again.` });
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Field label="List of pairs" error={problem}>
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            spellCheck={false}
            className="font-mono text-xs"
            placeholder={'ligand,receptor\nCXCL12,CXCR4\nICAM1,ITGAL+ITGB2'}
            value={form.ownPairs}
            onChange={(event) => onChange({ ownPairs: event.target.value })}
          />
        )}
      </Field>
      <Button variant="secondary" size="sm" className="self-start" onClick={() => file.current?.click()}>
        <Upload aria-hidden />
        Choose a CSV file
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="File of pairs"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen) void read(chosen);
        }}
      />
    </div>
  );
}
