import type { DatasetAnalysis } from '@cellfolio/contract';
import { useId } from 'react';
import { Field, Input, Label, Textarea } from '@/components/ui/form.tsx';
import { ChoiceField, NumberField, type RunBefore } from '@/features/analyses/index.ts';
import { LibraryField, SpeciesField } from '@/features/pathways/index.ts';
import { formatCount } from '@/lib/format.ts';
import {
  comparisonChoices,
  comparisonOf,
  methodChoices,
  type RankedEnrichmentForm,
  rankedNumbers,
  rankingOf,
  sizesProblem,
  statisticChoices,
} from './ranked-enrichment-form.ts';

interface RankedEnrichmentFieldsProps {
  analysis: DatasetAnalysis;
  form: RankedEnrichmentForm;
  runs: readonly RunBefore[];
  onChange: (change: Partial<RankedEnrichmentForm>) => void;
}

export function RankedEnrichmentFields({ analysis, form, runs, onChange }: RankedEnrichmentFieldsProps) {
  const method = methodChoices.find(({ value }) => value === form.method) ?? methodChoices[0];
  const problem = sizesProblem(form);
  const number = (field: keyof typeof rankedNumbers, step: number) => (
    <NumberField
      parameter={rankedNumbers[field]}
      step={step}
      value={form[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <>
      <ChoiceField
        label="Ranking"
        choices={[
          { value: 'comparison', label: 'All genes of a comparison' },
          { value: 'own', label: 'My own genes and numbers' },
        ]}
        value={form.source}
        onChange={(source) => onChange({ source })}
      />
      {form.source === 'own' ? (
        <OwnRanking form={form} onChange={onChange} />
      ) : (
        <ComparisonChoice form={form} runs={runs} onChange={onChange} />
      )}
      <LibraryField
        analysis={analysis}
        species={form.species}
        library={form.library}
        onChange={(library) => onChange({ library })}
      />
      <SpeciesField species={form.species} onChange={(species) => onChange({ species })} />
      <ChoiceField
        label="P-values"
        choices={methodChoices}
        value={method.value}
        onChange={(value) => onChange({ method: value })}
        about={method.about}
      />
      <div className="grid grid-cols-2 items-start gap-2">
        {number('minSize', 5)}
        {number('maxSize', 50)}
        {number('permutations', 100)}
        {number('weight', 0.5)}
        {number('seed', 1)}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-danger text-xs">
          {problem}
        </p>
      )}
      <p className="text-muted text-xs">
        Set sizes count ranked genes only. With weight 1, genes at the ends count more; with 0, all count the
        same. The same seed gives the same result.
      </p>
    </>
  );
}

function ComparisonChoice({ form, runs, onChange }: Omit<RankedEnrichmentFieldsProps, 'analysis'>) {
  const chosen = comparisonOf(form);
  const choices = comparisonChoices(runs, form);
  if (choices.length === 0) {
    return (
      <p role="note" className="text-muted text-xs">
        No comparison yet. Run a DEG Analysis first: it is then listed here, and its result has a button for
        this analysis.
      </p>
    );
  }
  return (
    <>
      <ChoiceField
        label="Comparison"
        placeholder="Choose a comparison"
        choices={choices}
        value={form.comparison}
        onChange={(comparison) => onChange({ comparison, part: '' })}
        about={
          chosen?.within === undefined
            ? 'Compared among the active cells.'
            : `Compared among the active cells; ranked: ${form.part === '' ? 'the group with most differing genes' : form.part}.`
        }
      />
      <ChoiceField
        label="Ranked by"
        choices={statisticChoices}
        value={form.statistic}
        onChange={(statistic) => onChange({ statistic })}
      />
    </>
  );
}

function OwnRanking({ form, onChange }: Omit<RankedEnrichmentFieldsProps, 'analysis' | 'runs'>) {
  const id = useId();
  const { genes, problem } = rankingOf(form);
  const read = async (file: File | undefined) => {
    if (file) onChange({ ranking: await file.text(), rankingName: file.name.replace(/\.[^.]*$/, '') });
  };
  return (
    <>
      <Field
        label="Genes and Numbers"
        hint={
          problem === undefined
            ? `${formatCount(genes.length)} lines.`
            : 'One line per gene: its name and a number, separated by a tab, comma or space.'
        }
        error={form.ranking.trim() === '' ? undefined : problem}
      >
        {(control) => (
          <Textarea
            {...control}
            value={form.ranking}
            placeholder={'CD3D\t4.2\nMS4A1\t-3.1'}
            spellCheck={false}
            className="max-h-48 min-h-24 font-mono text-[13px]"
            onChange={(event) => onChange({ ranking: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={id} className="text-xs">
          Or a file of two columns (.rnk, .csv, .tsv)
        </Label>
        <Input
          id={id}
          type="file"
          accept=".rnk,.csv,.tsv,.txt"
          className="h-9 py-1.5 text-[13px]"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
      <Field label="Name of the Ranking" className="[&_label]:text-xs">
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            value={form.rankingName}
            onChange={(event) => onChange({ rankingName: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
