import { allUnclear, suggestedText } from '@cellfolio/analyses';
import {
  type CellModelAnswer,
  type CellModelRequest,
  cellModelAnswer,
  cellModelRequest,
  type DatasetAnalysis,
  cellModels,
  groupByTitle,
  type CellModelParameters,
  type ModelReason,
  type ModelSuggestion,
  type ModelVote,
} from '@cellfolio/contract';
import { BrainCircuit, Download, Eye } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import {
  defineAnalysis,
  figureOf,
  ResultFacts,
  ChoiceField,
  NumberFields,
  areValid,
  numberParameter,
  shareOf,
  standardsOf,
  DrawnFigure,
  type FigurePanelProps,
  useSaveResult,
} from '@/features/analyses/index.ts';
import { GroupRow, SuggestedLabels, type SuggestionRowProps } from '@/features/cell-types/index.ts';
import { GroupByField, columnOf, isGroupColumn } from '@/features/declarations/index.ts';
import { plural, formatCount, percent } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { Button } from '@/components/ui/button.tsx';

function ModelPanel({ answer, dataset, onGenes }: FigurePanelProps<CellModelAnswer>) {
  const { suggestions, parameters, source } = answer;
  const { save, preparing } = useSaveResult();
  return (
    <div className="flex flex-col gap-3">
      <SuggestedLabels
        {...{ suggestions, parameters, dataset, onGenes }}
        title={answer.group_title}
        headings={['Its cells', 'Probability', 'Top genes']}
        subset={source.subset}
        Row={ModelRow}
      />
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={preparing}
        onClick={() =>
          save({
            name: 'cell_model_cells.csv',
            what: 'CSV',
            file: () => new Blob([answer.cells_csv], { type: 'text/csv;charset=utf-8' }),
          })
        }
      >
        <Download aria-hidden />
        Type and probability of each cell, CSV
      </Button>
      {answer.dotplot_image !== '' && (
        <DrawnFigure source={source} alt="Dot plot of the top genes of the types" word="dot plot" />
      )}
    </div>
  );
}

type RowProps = SuggestionRowProps<ModelSuggestion, CellModelParameters>;

function ModelRow({ suggestion, parameters, name, labels, onGenes }: RowProps) {
  const { group, cells, reasons, margin, best, runner_up: second } = suggestion;
  const next = second !== null && second.cells > 0 ? second : null;
  const leading = best.genes.slice(0, 3).map(({ gene }) => gene);
  return (
    <GroupRow
      group={group}
      name={name}
      cells={cells}
      suggestion={suggestion.suggestion}
      best={best.type}
      reasons={reasons.map((reason) => reasonText(reason, parameters))}
      numbers={[percent(best.share, 1), best.probability.toFixed(2)]}
      opener={{
        text: <span className="max-w-56 truncate italic">{leading.join(', ') || 'none'}</span>,
        label: (called) => `Genes of ${called}`,
        disabled: best.genes.length === 0,
      }}
      next={next && `${next.type} (${percent(next.share, 1)}, ${percent(margin, 1)} behind)`}
      labels={labels}
    >
      <TopGenes title="Best" vote={best} onGenes={onGenes} />
      {next && <TopGenes title="Next" vote={next} onGenes={onGenes} />}
    </GroupRow>
  );
}

function reasonText(
  reason: ModelReason,
  { min_probability, min_share, min_margin }: CellModelParameters,
): string {
  if (reason === 'low-probability') return `mean probability below ${min_probability}`;
  if (reason === 'small-share') return `best in less than ${percent(min_share, 1)} of the cells`;
  return `less than ${percent(min_margin, 1)} of the cells ahead of the next type`;
}

function TopGenes({
  title,
  vote: { type, genes },
  onGenes,
}: {
  title: string;
  vote: ModelVote;
  onGenes: (genes: readonly string[]) => void;
}) {
  return (
    <section aria-label={`${title}: ${type}`} className="flex max-w-md flex-col gap-1">
      <p className="text-xs">
        <span className="text-muted">{title}:</span> <span className="font-medium">{type}</span>
      </p>
      <table className="text-xs tabular-nums">
        <thead className="text-muted text-left">
          <tr>
            <th className="pr-4 font-normal">Gene</th>
            <th className="text-right font-normal">Adds to the score</th>
          </tr>
        </thead>
        <tbody>
          {genes.map(({ gene, contribution }) => (
            <tr key={gene}>
              <td className="pr-4 italic">{gene}</td>
              <td className="text-right">{contribution.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        variant="secondary"
        size="xs"
        className="self-start"
        disabled={genes.length === 0}
        onClick={() => onGenes(genes.map(({ gene }) => gene))}
      >
        <Eye aria-hidden />
        {`Visualize ${plural(genes.length, 'gene')}`}
      </Button>
    </section>
  );
}

interface ModelForm {
  /** File name of a model; empty for none. */
  model: string;
  groupBy: string;
  /** Percentages. */
  minProbability: string;
  minShare: string;
  minMargin: string;
}

const { min_probability, min_share, min_margin } = cellModelRequest.shape;

const modelNumbers = [
  {
    field: 'minProbability',
    step: 1,
    ...numberParameter(min_probability, 100),
    label: 'Min. Probability (%)',
  },
  { field: 'minShare', step: 1, ...numberParameter(min_share, 100), label: 'Min. Share of Cells (%)' },
  { field: 'minMargin', step: 1, ...numberParameter(min_margin, 100), label: 'Min. Margin (%)' },
] as const;

const modelDefaults: ModelForm = { model: '', groupBy: '', ...standardsOf(modelNumbers) };

function modelRequestOf(form: ModelForm): CellModelRequest {
  return {
    model: form.model,
    groupby: columnOf(form.groupBy),
    min_probability: shareOf(form.minProbability),
    min_share: shareOf(form.minShare),
    min_margin: shareOf(form.minMargin),
  };
}

function isComplete(form: ModelForm, dataset: DatasetAnalysis): boolean {
  return form.model !== '' && isGroupColumn(dataset, form.groupBy) && areValid(modelNumbers, form);
}

interface ModelFieldsProps {
  analysis: DatasetAnalysis;
  form: ModelForm;
  onChange: (change: Partial<ModelForm>) => void;
}

function ModelFields({ analysis, form, onChange }: ModelFieldsProps) {
  const { api } = useServices();
  const offered = useQuery({
    queryKey: ['cell-models'],
    queryFn: ({ signal }) => api({ path: '/api/cell-models', answer: cellModels, signal }),
    staleTime: 3_600_000,
  });
  const models = offered.data?.models ?? [];
  const chosen = models.find(({ file }) => file === form.model);
  return (
    <>
      <ChoiceField
        label="Model"
        choices={models.map(({ file, name }) => ({ value: file, label: name }))}
        value={chosen?.file ?? ''}
        onChange={(model) => onChange({ model })}
        placeholder={offered.isPending ? 'Loading the models...' : 'Choose a model'}
        about={
          chosen &&
          [
            plural(chosen.type_count, 'type'),
            plural(chosen.gene_count, 'gene'),
            chosen.species,
            chosen.licence === '' ? 'license not stated' : chosen.licence,
          ]
            .filter((part) => part !== '')
            .join(' · ')
        }
        warning={
          offered.isError
            ? `The models could not be read. ${offered.error.message}`
            : offered.data?.problems.map(({ problem }) => problem).join(' ') || undefined
        }
      />
      <GroupByField
        analysis={analysis}
        groupBy={form.groupBy}
        onChange={(groupBy) => onChange({ groupBy })}
      />
      <NumberFields numbers={modelNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Every cell votes for its most probable type; each group gets the type with most votes. Types unknown
        to the model cannot be found. No cell is labeled until you apply the labels.
      </p>
    </>
  );
}

function ModelFacts({ answer }: { answer: CellModelAnswer }) {
  const { model, genes, cells, suggestions, parameters } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Model:</span> {model.name} · {plural(model.type_count, 'type')} ·{' '}
          {formatCount(genes.found)} of {plural(genes.total, 'gene')} in the dataset · suggested for{' '}
          {suggestedText(suggestions)}
        </>
      }
    >
      <dt>Model</dt>
      <dd className="wrap-anywhere">
        {[
          model.file,
          model.source,
          model.species,
          model.licence === '' ? 'license not stated' : `license: ${model.licence}`,
        ]
          .filter((part) => part !== '')
          .join('; ')}
      </dd>
      <dt>Probability</dt>
      <dd>
        as in CellTypist: each gene is scaled by its mean and standard deviation in training, capped at 10,
        and multiplied by the coefficient of a type; the logistic function of the sum. Types are scored
        independently: their probabilities do not add up to 1.
      </dd>
      <dt>Vote</dt>
      <dd>
        each cell votes for its most probable type, and a group gets the type of most of its cells. It is
        Unclear where the mean probability is below {percent(parameters.min_probability, 1)}, the type is best
        in less than {percent(parameters.min_share, 1)} of the cells, or is not{' '}
        {percent(parameters.min_margin, 1)} of them ahead of the next.
      </dd>
      <dt>Cells</dt>
      <dd>
        {formatCount(cells.classified)} classified, {formatCount(cells.unclear)} of them in Unclear groups
      </dd>
    </ResultFacts>
  );
}

export const cellModelAnalysis = defineAnalysis<ModelForm, CellModelRequest, CellModelAnswer>({
  id: 'cell-model',
  title: 'Cell Type Annotation by a Model',
  task: 'annotate',
  question: 'Which cell type is each cell, by a trained model?',
  searchWords: 'classifier predict annotate labels CellTypist',
  name: 'cell type annotation by a model',
  noticeName: 'Cell type annotation by a model',
  running: 'Classifying the Cells',
  icon: BrainCircuit,
  path: '/api/classify-cells',
  request: cellModelRequest,
  answer: cellModelAnswer,
  csvField: 'types_csv',
  form: { defaults: modelDefaults, requestOf: modelRequestOf, isComplete, Fields: ModelFields },
  runningText: startedText,
  startedText,
  requestLine: ({ model, groupby }, cells) =>
    `By ${model}, votes of the groups of ${groupByTitle(groupby)}, ${cells}`,
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['rank', { label: 'Rank', kind: 'count' }],
    ['cell_type', { label: 'Cell type', kind: 'text' }],
    ['suggestion', { label: 'Suggestion', kind: 'text' }],
    ['cells', { label: 'Cells', kind: 'count' }],
    ['share', { label: 'Share of the group', kind: 'share' }],
    ['probability', { label: 'Mean probability', kind: 'number' }],
  ]),
  files: { table: 'cell_model_annotation', figure: 'cell_model_genes_dotplot' },
  figure: 'Dot Plot',
  panelTitle: 'Suggestions',
  opensWithPanel: true,
  Figure: ModelPanel,
  searchPlaceholder: 'Search types and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'type' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `${answer.model.name}, ${cells}: a type is suggested for ${suggestedText(answer.suggestions)} of ${answer.group_title}`,
    figure: figureOf(answer, 'dotplot'),
    nothing:
      allUnclear(
        answer.suggestions,
        'The table has the votes for all types. Try another model, or finer groups.',
      ) ?? null,
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
    groupedBy: answer.parameters.groupby,
  }),
  Facts: ModelFacts,
});

function startedText({ model, groupby }: CellModelRequest): string {
  return `Classifying the cells by ${model}, with votes of the groups of ${groupByTitle(groupby)}`;
}
