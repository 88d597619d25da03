import { nestedSamplesText, sumsProblem } from '@cellfolio/analyses';
import type { DatasetAnalysis, MapColumnList } from '@cellfolio/contract';
import { columnTitle, isOfSums } from '@cellfolio/contract';
import { ChoiceField } from '@/features/analyses/index.ts';
import { ColumnField } from '@/features/map/index.ts';
import { plural } from '@/lib/format.ts';
import { type ComparisonForm, comparisonMethods, methodOf, samplesOf } from './comparison-form.ts';

type MethodForm = Pick<ComparisonForm, 'method' | 'samples'>;

interface MethodFieldProps {
  analysis: DatasetAnalysis;
  form: MethodForm;
  onChange: (change: Partial<MethodForm>) => void;
}

export function MethodField({
  analysis,
  form,
  onChange,
  methods = comparisonMethods,
}: MethodFieldProps & { methods?: typeof comparisonMethods }) {
  const method = methodOf(form, analysis);
  return (
    <ChoiceField
      label="Method"
      choices={methods}
      value={method}
      onChange={(chosen) => onChange({ method: chosen })}
      about={methods.find(({ value }) => value === method)?.reason}
      warning={isOfSums(method) ? sumsProblem(form.samples || undefined, analysis) : undefined}
    />
  );
}

export function SamplesField({
  analysis,
  form,
  columns,
  onChange,
}: MethodFieldProps & { columns: MapColumnList['obs'] }) {
  const detected = analysis.samples;
  const isSummed = isOfSums(methodOf(form, analysis));
  const samples = samplesOf(form, analysis);
  const column = columns.find(({ name }) => name === samples?.column);
  const count = column?.categories;
  const nested = nestedSamplesText(form.samples, analysis.samples);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label="Samples"
        columns={columns}
        chosen={form.samples}
        none={detected ? `${columnTitle(detected.column)} (detected)` : 'None detected'}
        onChoose={(chosen) => onChange({ samples: chosen })}
      />
      {nested !== undefined && <p className="text-warning text-xs">{nested}</p>}
      <p className="text-muted text-xs">
        {samples === undefined
          ? 'No sample column is known.'
          : `${columnTitle(samples.column)}: ${samples.reason}, ${count === undefined ? 'a number of samples' : plural(count, 'sample')}.`}{' '}
        {!isSummed &&
          (samples === undefined
            ? 'Each cell counts as a replicate: if few samples were pooled, p-values are too small.'
            : 'Each cell counts as a replicate, but cells of one sample are similar: p-values are too small and describe only these samples.')}
      </p>
    </div>
  );
}
