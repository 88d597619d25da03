import {
  type RankedEnrichmentAnswer,
  type RankedEnrichmentRequest,
  plainLibraryName,
  rankedEnrichmentAnswer,
  rankedEnrichmentRequest,
  geneSetAttribution,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { libraryNote } from '@cellfolio/analyses';
import { speciesName } from '@cellfolio/contract';
import { ChartSpline } from 'lucide-react';
import { useId } from 'react';
import {
  defineAnalysis,
  type NothingFound,
  figureOf,
  ResultFacts,
  ChoiceField,
  NumberField,
  type RunBefore,
} from '@/features/analyses/index.ts';
import { LibraryField, SpeciesField } from './library-field.tsx';
import { formatCount, plural } from '@/lib/format.ts';
import { Field, Input, Label, Textarea } from '@/components/ui/form.tsx';
import {
  comparisonText,
  isComplete,
  type RankedEnrichmentForm,
  rankedDefaults,
  rankedRequestOf,
  comparisonChoices,
  comparisonOf,
  methodChoices,
  rankedNumbers,
  rankingOf,
  sizesProblem,
  statisticChoices,
} from './ranked-enrichment-form.ts';
import { RunningScorePanel } from './running-score-panel.tsx';

interface RankedEnrichmentFieldsProps {
  analysis: DatasetAnalysis;
  form: RankedEnrichmentForm;
  runs: readonly RunBefore[];
  onChange: (change: Partial<RankedEnrichmentForm>) => void;
}

function RankedEnrichmentFields({ analysis, form, runs, onChange }: RankedEnrichmentFieldsProps) {
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
        <TypedRanking form={form} onChange={onChange} />
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

function TypedRanking({ form, onChange }: Omit<RankedEnrichmentFieldsProps, 'analysis' | 'runs'>) {
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

function RankedEnrichmentFacts({ answer }: { answer: RankedEnrichmentAnswer }) {
  const { ranking, library, sets, method, permutations, seed, weight, min_size, max_size } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Ranked:</span> {plural(ranking.genes, 'gene')} ·{' '}
          {plural(sets.tested, 'set')} tested · FDR q ≤ {sets.threshold}: {formatCount(sets.significant_top)}{' '}
          {ranking.top}, {formatCount(sets.significant_end)} {ranking.end}
        </>
      }
    >
      <dt>Ranking</dt>
      <dd>
        {ranking.name}. {plural(ranking.entries, 'gene')} given, {formatCount(ranking.missing)} without a
        number, {formatCount(ranking.repeated)} given more than once, {formatCount(ranking.unmapped)} without
        an orthologue; {formatCount(ranking.tied)} ranked genes share their value with another.
      </dd>
      <dt>Library</dt>
      <dd>
        {library.title}. {geneSetAttribution(library)} {formatCount(ranking.in_sets)} ranked genes are in its
        sets.
      </dd>
      <dt>Gene sets</dt>
      <dd>
        {plural(sets.tested, 'set')} of {formatCount(min_size)} to {formatCount(max_size)} ranked genes
        tested; {formatCount(sets.too_small)} smaller and {formatCount(sets.too_large)} larger ones left out.
      </dd>
      <dt>Test</dt>
      <dd>
        {method === 'permutation'
          ? `${plural(permutations, 'gene permutation')}: nominal p, FDR q and FWER p as in gseapy’s prerank`
          : `multilevel split as in fgsea, FDR of Benjamini and Hochberg; normalised by ${plural(permutations, 'gene permutation')}`}
        ; weight {weight}, seed {seed}
      </dd>
    </ResultFacts>
  );
}

export const rankedEnrichmentAnalysis = defineAnalysis<
  RankedEnrichmentForm,
  RankedEnrichmentRequest,
  RankedEnrichmentAnswer
>({
  id: 'ranked-enrichment',
  title: 'Ranked Enrichment (GSEA)',
  name: 'ranked enrichment',
  noticeName: 'Ranked enrichment',
  running: 'Running Ranked Enrichment',
  icon: ChartSpline,
  path: '/api/perform-ranked-enrichment',
  request: rankedEnrichmentRequest,
  answer: rankedEnrichmentAnswer,
  csvField: 'analysis_csv',
  form: {
    defaults: rankedDefaults,
    requestOf: rankedRequestOf,
    isComplete: (form, dataset) =>
      isComplete(form) &&
      libraryNote({ library_name: form.library, species: speciesName.safeParse(form.species).data }, dataset)
        ?.problem === undefined,
    Fields: RankedEnrichmentFields,
    textsOf: (change) => {
      const { ranking } = change as Pick<RankedEnrichmentRequest, 'ranking'>;
      if (ranking.source === 'comparison') {
        const { source, comparison, part = '' } = ranking;
        return { source, comparison: JSON.stringify(comparison), part };
      }
      const { source, name = rankedDefaults.rankingName, genes, values } = ranking;
      const lines = genes.map((gene, at) => `${gene}\t${values[at]}`);
      return { source, ranking: lines.join('\n'), rankingName: name };
    },
  },
  runningText: ({ library_name: library = '', ranking }) =>
    `Testing ${plainLibraryName(library)} on ${rankingText(ranking)}`,
  requestLine: ({ library_name: library = '', ranking }, cells) =>
    `${plainLibraryName(library)}, ${cells}: ${rankingText(ranking)}`,
  columns: new Map([
    ['Term', { label: 'Term', kind: 'text' }],
    ['ES', { label: 'ES', kind: 'number' }],
    ['NES', { label: 'NES', kind: 'number' }],
    ['NOM p-val', { label: 'Nominal p', kind: 'p-value' }],
    ['FDR q-val', { label: 'FDR q', kind: 'p-value' }],
    ['FWER p-val', { label: 'FWER p', kind: 'p-value' }],
    ['log2err', { label: 'Log2 error of p', kind: 'number' }],
    ['Size', { label: 'Size', kind: 'count' }],
    ['Tag %', { label: 'Leading of set', kind: 'text' }],
    ['Gene %', { label: 'Of ranking', kind: 'text' }],
    ['Lead_genes', { label: 'Leading edge', kind: 'genes' }],
  ]),
  pValueBounds: ({ method, permutations, facts }) => {
    const bound = facts.find(({ code }) => code === 'p-values-at-bound')?.numbers?.['bound'];
    return new Map([
      ['FWER p-val', 1 / permutations],
      ...(method === 'permutation' ? [['FDR q-val', 1 / permutations] as const] : []),
      ...(typeof bound === 'number' ? [['NOM p-val', bound] as const] : []),
    ]);
  },
  files: { table: 'ranked_enrichment', figure: 'ranked_enrichment_barplot' },
  figure: 'Bar Plot',
  panelTitle: 'Running Score',
  searchPlaceholder: 'Search terms and genes',
  rowNoun: () => 'term',
  allRows: (rowCount) => `all terms (${formatCount(rowCount)})`,
  read: (answer) => ({
    summary: (cells) => `${answer.library.title} on ${answer.ranking.name}, ${cells}`,
    figure: figureOf(answer, 'barplot'),
    nothing: nothingFound(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: RankedEnrichmentFacts,
  Figure: RunningScorePanel,
});

function rankingText(ranking: RankedEnrichmentRequest['ranking']): string {
  if (ranking.source === 'comparison') return comparisonText(ranking.comparison);
  return `${ranking.name ?? rankedDefaults.rankingName} (${plural(ranking.genes.length, 'line')})`;
}

function nothingFound({ sets, min_size, max_size }: RankedEnrichmentAnswer): NothingFound | null {
  if (sets.tested === 0) {
    return {
      title: 'No Gene Sets Tested',
      text: `No set of the library has ${formatCount(min_size)} to ${formatCount(max_size)} ranked genes. Allow other sizes, or try another library.`,
    };
  }
  if (sets.significant_top + sets.significant_end > 0) return null;
  return {
    title: 'No Significant Gene Sets',
    text: `None of ${plural(sets.tested, 'set')} has an FDR q of ${sets.threshold} or less; the listed sets are no evidence by themselves.`,
  };
}
