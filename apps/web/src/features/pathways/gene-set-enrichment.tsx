import {
  type PathwayAnalysisAnswer,
  type PathwayAnalysisRequest,
  pathwayAnalysisAnswer,
  pathwayAnalysisRequest,
  plainLibraryName,
  geneSetAttribution,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { Table2 } from 'lucide-react';
import { useId, useMemo } from 'react';
import {
  type NothingFound,
  defineAnalysis,
  figureOf,
  ResultFacts,
  NumberField,
} from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { copyText } from '@/lib/copy-text.ts';
import { Field, Label, Textarea } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { GeneListMenu } from '@/features/gene-lists/index.ts';
import {
  type EnrichmentForm,
  enrichmentDefaults,
  isValid,
  libraryNote,
  pathwayRequest,
  readGeneList,
  backgroundChoices,
  enrichmentNumbers,
  ownBackgroundProblem,
} from './enrichment-form.ts';
import { LibraryField, SpeciesField } from './library-field.tsx';

interface EnrichmentFieldsProps {
  analysis: DatasetAnalysis;
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

function EnrichmentFields({ analysis, form, onChange }: EnrichmentFieldsProps) {
  return (
    <>
      <GenesField form={form} onChange={onChange} />
      <LibraryField
        analysis={analysis}
        species={form.species}
        library={form.library}
        onChange={(library) => onChange({ library })}
      />
      <EnrichmentBackgroundFields form={form} onChange={onChange} />
    </>
  );
}

function GenesField({ form, onChange }: Omit<EnrichmentFieldsProps, 'analysis'>) {
  const genes = useMemo(() => readGeneList(form.genes), [form.genes]);
  return (
    <div className="relative">
      <Field
        label="Genes"
        hint={`${plural(genes.length, 'unique gene')}. Separate them by commas, or paste a list.`}
      >
        {(control) => (
          <Textarea
            {...control}
            value={form.genes}
            placeholder="CD3D, CD3E, LCK, CD2"
            spellCheck={false}
            autoCapitalize="characters"
            className="max-h-48 min-h-20 text-[13px]"
            onChange={(event) => onChange({ genes: event.target.value })}
          />
        )}
      </Field>
      <div className="absolute -top-1 right-0">
        <GeneListMenu
          label="Genes"
          genes={genes}
          onChoose={(list) => onChange({ genes: [...new Set([...genes, ...list.genes])].join(', ') })}
        />
      </div>
    </div>
  );
}

interface EnrichmentBackgroundFieldsProps {
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

function EnrichmentBackgroundFields({ form, onChange }: EnrichmentBackgroundFieldsProps) {
  const id = useId();
  const chosen = backgroundChoices.find(({ value }) => value === form.background) ?? backgroundChoices[0];
  const number = (field: keyof typeof enrichmentNumbers, label: string, step: number) => (
    <NumberField
      parameter={enrichmentNumbers[field]}
      label={label}
      step={step}
      value={form[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-background`}>Background</Label>
        <Select value={chosen.value} onValueChange={(background) => onChange({ background })}>
          <SelectTrigger id={`${id}-background`} aria-describedby={`${id}-background-about`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {backgroundChoices.map(({ value, label }) => (
              <SelectItem key={value} value={value}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <p
          id={`${id}-background-about`}
          className={chosen.value === 'dataset' ? 'text-warning text-xs' : 'text-muted text-xs'}
        >
          {chosen.about}
        </p>
      </div>
      {chosen.value === 'expressed' && (
        <div className="grid grid-cols-2 items-start gap-2">
          {number('minimumShare', 'Minimum % of Cells', 0.5)}
          {number('minimumCells', 'Minimum Cells', 1)}
        </div>
      )}
      {chosen.value === 'own' && (
        <Field
          label="Background Genes"
          hint={`${plural(readGeneList(form.ownBackground).length, 'unique gene')}.`}
          error={form.ownBackground === '' ? undefined : ownBackgroundProblem(form)}
        >
          {(control) => (
            <Textarea
              {...control}
              value={form.ownBackground}
              spellCheck={false}
              autoCapitalize="characters"
              className="max-h-48 min-h-20 text-[13px]"
              onChange={(event) => onChange({ ownBackground: event.target.value })}
            />
          )}
        </Field>
      )}
      <div className="grid grid-cols-2 items-start gap-2">
        {number('minimumOverlap', 'Minimum Overlap', 1)}
        <SpeciesField species={form.species} onChange={(species) => onChange({ species })} />
      </div>
      <p className="text-muted text-xs">
        Sets that share fewer than {form.minimumOverlap || enrichmentDefaults.minimumOverlap} genes with the
        list are not reported, but count in the adjustment of the p-values.
      </p>
    </>
  );
}

function EnrichmentFacts({ answer }: { answer: PathwayAnalysisAnswer }) {
  const { background, library, sets, not_found_genes: missing, not_in_background_genes: outside } = answer;
  const leftOut = missing.length + outside.length;
  return (
    <ResultFacts
      facts={answer.facts.filter(({ code }) => code !== 'background' && code !== 'sets')}
      line={
        <>
          <span className="font-medium">Background:</span> {formatCount(background.gene_count)}{' '}
          {backgroundWords[background.kind]} ·{' '}
          {leftOut === 0 ? 'all genes of the list tested' : `${plural(leftOut, 'gene')} of the list left out`}{' '}
          · {plural(sets.tested, 'set')} tested of {library.title} · {library.licence}
        </>
      }
    >
      <dt>Library</dt>
      <dd>
        {library.title}. {geneSetAttribution(library)}
      </dd>
      <dt>Background</dt>
      <dd>
        {background.description}.{thresholdWords(background)}
      </dd>
      <dt>Species</dt>
      <dd>{speciesWords(answer.species)}</dd>
      <dt>Gene sets</dt>
      <dd>{setWords(answer)}</dd>
      <GeneList title="Not in the dataset" genes={missing} />
      <GeneList title="Not in the background" genes={outside} />
    </ResultFacts>
  );
}

const backgroundWords: Record<PathwayAnalysisAnswer['background']['kind'], string> = {
  expressed: 'expressed genes',
  library: 'genes of the library',
  dataset: 'genes of the dataset, expressed or not',
  own: 'genes of your own list',
};

function GeneList({ title, genes }: { title: string; genes: readonly string[] }) {
  if (genes.length === 0) return null;
  const copy = async () => {
    try {
      await copyText(genes.join('\n'));
      toast.success('Genes Copied', { description: plural(genes.length, 'gene') });
    } catch {
      toast.error('The genes could not be copied', {
        description: 'Select and copy them with the keyboard.',
      });
    }
  };
  return (
    <>
      <dt>
        {title} ({formatCount(genes.length)})
      </dt>
      <dd>
        {genes.join(', ')}{' '}
        <Button variant="link" size="inline" className="text-xs" onClick={() => void copy()}>
          Copy
        </Button>
      </dd>
    </>
  );
}

function thresholdWords({
  minimum_share,
  minimum_cells,
  required_cells,
}: PathwayAnalysisAnswer['background']) {
  if (minimum_share === undefined || minimum_cells === undefined) return '';
  const share = Number((100 * minimum_share).toPrecision(6));
  return ` The threshold is ${share} % of the active cells and at least ${plural(minimum_cells, 'cell')}, so ${plural(required_cells ?? 0, 'cell')} here.`;
}

type SpeciesOf = PathwayAnalysisAnswer['species'];

function speciesWords({ dataset, library, orthologues }: SpeciesOf): string {
  const words = `Dataset: ${oneSpecies(dataset)}. Library: ${oneSpecies(library)}.`;
  if (orthologues === null) return `${words} Genes were compared by name.`;
  const { mapped, unmapped, merged, table, licence } = orthologues;
  return `${words} ${plural(mapped, 'gene')} mapped to orthologues by ${table} (licence: ${licence}), ${formatCount(unmapped)} without one left out, ${formatCount(merged)} counted together with another.`;
}

function oneSpecies({ species, by, matching, looked }: SpeciesOf['dataset']): string {
  if (by === 'request') return `${species ?? ''}, as you chose`;
  if (species === null) return 'unknown from the gene names';
  return `${species} (${formatCount(matching)} of ${formatCount(looked)} ${by === 'ids' ? 'ids' : 'symbols'})`;
}

function setWords({ sets, minimum_overlap: minimum }: PathwayAnalysisAnswer): string {
  const { library, dropped, shrunk, tested, below_minimum_overlap: below } = sets;
  return `${plural(library, 'set')} in the library; ${formatCount(dropped)} have no gene in the background, ${formatCount(shrunk)} lost some. ${formatCount(tested)} share a gene with the list and count in the adjustment of the p-values; ${formatCount(below)} of them share fewer than ${minimum} and are not reported.`;
}

export const geneSetEnrichment = defineAnalysis<
  EnrichmentForm,
  PathwayAnalysisRequest,
  PathwayAnalysisAnswer
>({
  id: 'pathway',
  title: 'Gene Set Enrichment Analysis',
  name: 'gene set enrichment analysis',
  alwaysRetried: true,
  noticeName: 'Enrichment analysis',
  running: 'Running GSE Analysis',
  icon: Table2,
  path: '/api/perform-pathway-analysis',
  request: pathwayAnalysisRequest,
  answer: pathwayAnalysisAnswer,
  csvField: 'analysis_csv',
  form: {
    defaults: enrichmentDefaults,
    requestOf: pathwayRequest,
    isComplete: (form, dataset) =>
      readGeneList(form.genes).length > 0 &&
      isValid(form) &&
      libraryNote(dataset, form)?.problem === undefined,
    Fields: EnrichmentFields,
    withGenes: (genes) => ({ genes: genes.join(', ') }),
  },
  runningText: ({ library_name = '' }) => `Testing the genes against ${plainLibraryName(library_name)}`,
  requestLine: ({ library_name = '', pathway_genes }, cells) =>
    `${plainLibraryName(library_name)}, ${cells}: ${plural(pathway_genes.length, 'gene')}`,
  columns: new Map([
    ['Gene_set', { label: 'Library', kind: 'text' }],
    ['Term', { label: 'Term', kind: 'text' }],
    ['Overlap', { label: 'Overlap', kind: 'text' }],
    ['P-value', { label: 'P-value', kind: 'p-value' }],
    ['Adjusted P-value', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['Odds Ratio', { label: 'Odds ratio', kind: 'number' }],
    ['Combined Score', { label: 'Combined score', kind: 'number' }],
    ['Genes', { label: 'Genes', kind: 'genes' }],
  ]),
  files: { table: 'pathway_analysis', figure: 'pathway_analysis_barplot' },
  figure: 'Bar Plot',
  searchPlaceholder: 'Search terms and genes',
  rowNoun: () => 'term',
  allRows: (rowCount) => `all terms (${formatCount(rowCount)})`,
  read: (answer) => ({
    summary: () => {
      const { library, found_genes } = answer;
      return `${library.title}, ${plural(found_genes.length, 'gene')} tested`;
    },
    figure: figureOf(answer, 'barplot'),
    nothing: noGeneSets(answer),
    cautions: cautionsOf(answer),
    groups: [],
  }),
  Facts: EnrichmentFacts,
});

/** With the genes that are not there where no warning names them. */
function cautionsOf({ warnings, not_found_genes: missing }: PathwayAnalysisAnswer): string[] {
  const isReported = missing.length === 0 || warnings.some(({ code }) => code === 'genes-not-found');
  const notes = warnings.map(({ message }) => message);
  const names = missing.slice(0, 20).join(', ');
  return isReported ? notes : [...notes, `${plural(missing.length, 'gene')} not in the dataset: ${names}.`];
}

function noGeneSets({ sets, minimum_overlap, figure }: PathwayAnalysisAnswer): NothingFound | null {
  if (sets.reported === 0) {
    const text =
      sets.tested === 0
        ? 'No gene set shares a gene with the list. Try another library or more genes.'
        : `No gene set shares ${minimum_overlap} genes with the list. Lower the minimum overlap, or try another library or more genes.`;
    return { title: 'No Gene Sets Found', text };
  }
  const { significant, threshold } = figure;
  if (significant !== 0) return null;
  return {
    title: 'No Significant Gene Sets',
    text: `None of ${plural(sets.reported, 'reported gene set')} has an adjusted p-value of ${String(threshold)} or less. Try more genes, or a library that fits them; the listed sets are no evidence by themselves.`,
  };
}
