import {
  type DecileAnswer,
  type DecileRequest,
  type FigureContent,
  type FigureSource,
  columnTitle,
  decileAnswer,
  decileRequest,
  type DatasetAnalysis,
  type MapColumnList,
  cellStateNames,
} from '@cellfolio/contract';
import { ArrowDownUp } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { defineAnalysis, ChoiceField, NumberFields } from '@/features/analyses/index.ts';
import { comparedGenes, MethodField, SamplesField, samplesOf } from '@/features/comparisons/index.ts';
import { Field, Input } from '@/components/ui/form.tsx';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { ColumnField, columnListQuery, noNumbers } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { DecileFacts } from './decile-facts.tsx';
import {
  decileDefaults,
  type DecileForm,
  decileRequestOf,
  isComplete,
  decileMethods,
  decileNumbers,
  rankedByOf,
  rankings,
  signatureOf,
} from './decile-form.ts';

interface DecileFieldsProps {
  analysis: DatasetAnalysis;
  form: DecileForm;
  onChange: (change: Partial<DecileForm>) => void;
}

const maxScoreNameLength = 200;
const states = cellStateNames.map((name) => ({ value: name, label: name }));

function DecileFields({ analysis, form, onChange }: DecileFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const samples = samplesOf(form, analysis);
  return (
    <>
      <ChoiceField
        label="Rank Cells By"
        choices={rankings}
        value={rankedByOf(form)}
        onChange={(by) => onChange({ by })}
        about={
          samples === undefined
            ? 'All active cells are ranked together.'
            : `Active cells are ranked within each sample (${columnTitle(samples.column)}), so that both ends have cells of the same samples.`
        }
      />
      <RankedByField analysis={analysis} columns={columns} form={form} onChange={onChange} />
      <SamplesField analysis={analysis} form={form} columns={columns} onChange={onChange} />
      <MethodField analysis={analysis} form={form} onChange={onChange} methods={decileMethods} />
      <NumberFields numbers={decileNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Ends include all cells tied with their last one: the lowest end of a gene may be all cells without it.
        If the ends have different cell types, these differ too: activate a subset of one type first.
      </p>
    </>
  );
}

function RankedByField({
  analysis,
  columns,
  form,
  onChange,
}: DecileFieldsProps & { columns: MapColumnList['obs'] }) {
  const { gene_library: genes, dataset_filename: filename, version } = analysis;
  const index = useMemo(() => indexGenes(genes, { filename, version }), [genes, filename, version]);
  switch (rankedByOf(form)) {
    case 'gene':
      return (
        <GenePicker
          index={index}
          label="Gene"
          hint="Enter chooses a gene."
          chosenLabel="Gene to rank by"
          genes={form.gene === '' ? [] : [form.gene]}
          max={1}
          showEmpty={false}
          onChange={(chosen) => onChange({ gene: chosen.at(-1) ?? '' })}
        />
      );
    case 'signature':
      return (
        <>
          <GenePicker
            index={index}
            label="Signature genes"
            chosenLabel="Selected signature genes"
            genes={signatureOf(form)}
            showEmpty={false}
            onChange={(chosen) => onChange({ genes: JSON.stringify(chosen) })}
          />
          <Field label="Signature Name" optional>
            {(control) => (
              <Input
                {...control}
                value={form.scoreName}
                maxLength={maxScoreNameLength}
                autoComplete="off"
                placeholder="Cytotoxicity"
                onChange={(event) => onChange({ scoreName: event.target.value })}
              />
            )}
          </Field>
        </>
      );
    case 'cell-state':
      return (
        <ChoiceField
          label="Cell state"
          choices={states}
          value={form.state}
          onChange={(state) => onChange({ state })}
          placeholder="Select a cell state"
        />
      );
    case 'column':
      return (
        <ColumnField
          label="Column"
          columns={columns}
          problemOf={noNumbers}
          chosen={form.column}
          none="Choose a column of numbers"
          required
          onChoose={(column) => onChange({ column })}
        />
      );
  }
}

export const decileAnalysis = defineAnalysis<DecileForm, DecileRequest, DecileAnswer>({
  ...comparedGenes,
  id: 'deciles',
  title: 'Top/Bottom Decile Expression Profiling',
  name: 'top/bottom decile expression profiling',
  noticeName: 'Top/bottom decile expression profiling',
  running: 'Running Top/Bottom Decile Expression Profiling',
  icon: ArrowDownUp,
  path: '/api/perform-decile-analysis',
  request: decileRequest,
  answer: decileAnswer,
  form: {
    defaults: decileDefaults,
    requestOf: decileRequestOf,
    isComplete,
    Fields: DecileFields,
  },
  runningText: endsText,
  startedText: endsText,
  requestLine: (request, cells) =>
    `${endsText(request)}, ${cells}: ${request.method === 'wilcoxon' ? 'Wilcoxon rank-sum test' : 'pseudobulk of samples'}`,
  files: { table: 'decile_profiling', figure: 'decile_volcano' },
  furtherFigures: [
    { figure: 'Ends', file: 'decile_ends', sourceOf: (source) => ofEnds(source, 'end-distribution') },
    {
      figure: 'Composition',
      file: 'decile_composition',
      sourceOf: (source) => ofEnds(source, 'end-composition'),
    },
  ],
  Facts: DecileFacts,
});

function ofEnds(source: FigureSource, kind: 'end-distribution' | 'end-composition'): FigureSource {
  if (!('ends' in source.content) || source.content.ends === undefined) return source;
  const { ends, samples, min_sample_cells } = source.content;
  const content: FigureContent = {
    kind,
    ...ends,
    ...(samples !== undefined && { samples }),
    min_sample_cells,
  };
  return { ...source, content };
}

function endsText({ by, share = Number(decileDefaults.share) }: DecileRequest): string {
  return `Comparing the highest with the lowest ${share} % of ${rankedByText(by)}`;
}

function rankedByText(by: DecileRequest['by']): string {
  if (by.of === 'gene') return by.gene;
  if (by.of === 'column') return columnTitle(by.column);
  return by.of === 'signature' ? by.score_name || 'the signature' : by.cell_state;
}
