import {
  type CompositionAnswer,
  type CompositionRequest,
  columnTitle,
  compositionAnswer,
  compositionRequest,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { ChartPie } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import {
  defineAnalysis,
  figureOf,
  ResultFacts,
  ChoiceField,
  NumberField,
} from '@/features/analyses/index.ts';
import { plural, formatCount } from '@/lib/format.ts';
import {
  degreesWords,
  kindWords,
  LeftOut,
  DesignFields,
  nestedSamplesText,
  samplesOf,
  SidesField,
} from '@/features/comparisons/index.ts';
import { ColumnField, columnListQuery, groupsColumn } from '@/features/map/index.ts';
import { UnassignedField } from '@/features/markers/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  compositionDefaults,
  type CompositionForm,
  compositionRequestOf,
  isComplete,
  transformOf,
  limitNumber,
  transforms,
} from './composition-form.ts';

interface CompositionFieldsProps {
  analysis: DatasetAnalysis;
  form: CompositionForm;
  onChange: (change: Partial<CompositionForm>) => void;
}

function CompositionFields({ analysis, form, onChange }: CompositionFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const samples = samplesOf(form, analysis);
  const nested = nestedSamplesText(form, analysis);
  const scale = transformOf(form);
  const { field, step, ...limit } = limitNumber;
  return (
    <>
      <SidesField dataset={dataset} form={form} onChange={onChange} />
      <ColumnField
        label="Shares of"
        // The first row of the list stands for the default column.
        columns={columns.filter((column) => column !== groupsColumn(columns))}
        chosen={form.by === groupsColumn(columns)?.name ? '' : form.by}
        none={analysis.cell_types.length > 0 ? 'Cell types' : 'Clusters'}
        onChoose={(by) => onChange({ by })}
      />
      <UnassignedField
        analysis={analysis}
        groupBy={form.by || (analysis.cell_types.length > 0 ? 'cell_type' : 'leiden')}
        unassigned={form.unassigned}
        onChange={onChange}
      />
      <div className="flex min-w-0 flex-col gap-1.5">
        <ColumnField
          label="Samples"
          columns={columns}
          chosen={form.samples}
          none={analysis.samples ? `${columnTitle(analysis.samples.column)} (detected)` : 'None detected'}
          onChoose={(chosen) => onChange({ samples: chosen })}
        />
        {nested !== undefined && <p className="text-warning text-xs">{nested}</p>}
        <p className={samples === undefined ? 'text-warning text-xs' : 'text-muted text-xs'}>
          {samples === undefined
            ? 'Choose the column of samples: they are the replicates.'
            : `${columnTitle(samples.column)}: ${samples.reason}. Samples are the replicates.`}
        </p>
      </div>
      <ChoiceField
        label="Scale"
        choices={transforms}
        value={scale.value}
        onChange={(transform) => onChange({ transform })}
        about={scale.reason}
      />
      <DesignFields columns={columns} form={form} onChange={onChange} />
      <NumberField
        parameter={limit}
        step={step}
        value={form[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
    </>
  );
}

function CompositionFacts({ answer }: { answer: CompositionAnswer }) {
  const { a, b, by, samples, design, test, parameters, categories, differing } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">A:</span> {a.name}, {plural(samples.a, 'sample')},{' '}
          {plural(a.cells, 'cell')} · <span className="font-medium">B:</span> {b.name},{' '}
          {plural(samples.b, 'sample')}, {plural(b.cells, 'cell')} · {formatCount(differing)} of{' '}
          {formatCount(categories)} categories differ
        </>
      }
    >
      <dt>Shares of</dt>
      <dd>{columnTitle(by)}, among the cells of each sample on a side</dd>
      <dt>Test</dt>
      <dd>
        {test} ({degreesWords(design)}); p-values adjusted by Benjamini and Hochberg over the categories
      </dd>
      <dt>Effect</dt>
      <dd>
        {parameters.transform === 'logit'
          ? 'difference in the natural log odds of a share, A minus B'
          : 'difference in the arcsine square roots of a share, A minus B'}
      </dd>
      <dt>Counted</dt>
      <dd>adjusted p &lt; {parameters.pvals_adj}</dd>
      <dt>Replicates</dt>
      <dd>
        {columnTitle(samples.column)} ({samples.reason}): {formatCount(samples.a)} in A,{' '}
        {formatCount(samples.b)} in B, {formatCount(samples.both)} in both
        {design.paired ? ', compared in pairs' : ''}
      </dd>
      {design.columns.length > 1 && (
        <>
          <dt>Covariates</dt>
          <dd>{kindWords(design).join('; ')}</dd>
        </>
      )}
      <LeftOut parts={[{ name: '', left_out: design.left_out }]} />
    </ResultFacts>
  );
}

export const compositionAnalysis = defineAnalysis<CompositionForm, CompositionRequest, CompositionAnswer>({
  id: 'composition',
  title: 'Composition Analysis',
  name: 'composition analysis',
  noticeName: 'Composition analysis',
  running: 'Running Composition Analysis',
  icon: ChartPie,
  path: '/api/perform-composition-analysis',
  request: compositionRequest,
  answer: compositionAnswer,
  csvField: 'composition_csv',
  form: {
    defaults: compositionDefaults,
    requestOf: compositionRequestOf,
    isComplete,
    Fields: CompositionFields,
  },
  runningText: sidesText,
  startedText: sidesText,
  asked: (request, cells) =>
    `${sidesText(request)}, ${cells}: ${transformOf({ transform: request.transform ?? '' }).label}`,
  columns: new Map([
    ['category', { label: 'Category', kind: 'text' }],
    ['share_a', { label: 'Share in A', kind: 'share' }],
    ['share_b', { label: 'Share in B', kind: 'share' }],
    ['log_odds', { label: 'Log odds ratio', kind: 'number' }],
    ['asin_difference', { label: 'Arcsine difference', kind: 'number' }],
    ['ci_low', { label: '95 % from', kind: 'number' }],
    ['ci_high', { label: '95 % to', kind: 'number' }],
    ['ratio', { label: 'Ratio of shares', kind: 'number' }],
    ['scores', { label: 'Moderated t', kind: 'number' }],
    ['pvals', { label: 'P-value', kind: 'p-value' }],
    ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['cells_a', { label: 'Cells of A', kind: 'count' }],
    ['cells_b', { label: 'Cells of B', kind: 'count' }],
  ]),
  files: { table: 'composition', figure: 'composition_dots' },
  figure: 'Composition Plot',
  searchPlaceholder: 'Search categories',
  rowNoun: () => 'category',
  allRows: (rowCount) => `all categories (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `${answer.a.name} against ${answer.b.name}, shares of ${columnTitle(answer.by)}, ${cells}: ${answer.test}; differing: adjusted p < ${answer.parameters.pvals_adj}`,
    figure: figureOf(answer, 'composition'),
    // The table has all categories, whether they differ or not.
    nothing: null,
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: CompositionFacts,
});

function sidesText({ a, b, by }: CompositionRequest): string {
  const of = by === undefined ? '' : `, shares of ${columnTitle(by)}`;
  return `Comparing the composition of ${a.name} with ${b?.name ?? 'all other active cells'}${of}`;
}
