import type { DatasetAnalysis, MapColumnList } from '@cellfolio/contract';
import { columnTitle, isOfSums } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  type ComparisonForm,
  comparisonRequestOf,
  comparisonMethods,
  comparisonNumbers,
  isComplete,
  methodOf,
  samplesOf,
  sumsProblem,
} from './comparison-form.ts';
import { DesignFields } from './design-fields.tsx';
import { DesignPreview } from './design-preview.tsx';
import { ModerationFields } from './moderation-fields.tsx';
import { SidesField } from './sides-field.tsx';

/** What decides no design, so that another threshold asks for none. */
const thresholds = { pvals_adj: undefined, logfoldchanges: undefined };

interface ComparisonFieldsProps {
  analysis: DatasetAnalysis;
  form: ComparisonForm;
  onChange: (change: Partial<ComparisonForm>) => void;
}

/** Which cells are compared, how, and what is counted as differing. */
export function ComparisonFields({ analysis, form, onChange }: ComparisonFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const method = methodOf(form, analysis);
  return (
    <>
      <SidesField dataset={dataset} form={form} onChange={onChange} />
      <ColumnField
        label="Within each group of"
        columns={columns}
        chosen={form.within}
        none="All cells together"
        onChoose={(within) => onChange({ within })}
      />
      <MethodField analysis={analysis} form={form} onChange={onChange} />
      <SamplesField analysis={analysis} form={form} columns={columns} onChange={onChange} />
      {isOfSums(method) && (
        <DesignFields columns={columns} form={form} onChange={onChange}>
          {isComplete(form, analysis) && (
            <DesignPreview
              opened={`${dataset.filename}@${dataset.version}`}
              request={{ ...comparisonRequestOf(form, analysis), ...thresholds }}
            />
          )}
        </DesignFields>
      )}
      {method === 'pseudobulk' && <ModerationFields form={form} onChange={onChange} />}
      <div className="grid grid-cols-2 gap-2">
        {comparisonNumbers.map(({ field, step, ...parameter }) => (
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
        The table has every gene. Genes below the p-value with at least the fold change, 1 being a doubling,
        are counted and coloured.
      </p>
    </>
  );
}

/** How the sides are compared, the recommended way first, and why. */
function MethodField({ analysis, form, onChange }: ComparisonFieldsProps) {
  const method = methodOf(form, analysis);
  return (
    <ChoiceField
      label="Method"
      choices={comparisonMethods}
      value={method}
      onChange={(chosen) => onChange({ method: chosen })}
      about={comparisonMethods.find(({ value }) => value === method)?.reason}
      warning={isOfSums(method) ? sumsProblem(form, analysis) : undefined}
    />
  );
}

/** Which column says which sample a cell is from, with the reason, and what that means for the test. */
function SamplesField({
  analysis,
  form,
  columns,
  onChange,
}: ComparisonFieldsProps & { columns: MapColumnList['obs'] }) {
  const known = analysis.samples;
  const isSummed = isOfSums(methodOf(form, analysis));
  const samples = samplesOf(form, analysis);
  const column = columns.find(({ name }) => name === samples?.column);
  const count = column?.categories;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label="Samples"
        columns={columns}
        chosen={form.samples}
        none={known ? `${columnTitle(known.column)} (detected)` : 'Not known'}
        onChoose={(chosen) => onChange({ samples: chosen })}
      />
      <p className="text-muted text-xs">
        {samples === undefined
          ? 'No column is known to say which sample a cell is from.'
          : `${columnTitle(samples.column)}: ${samples.reason}, ${count === undefined ? 'a number of' : count} ${count === 1 ? 'sample' : 'samples'}.`}{' '}
        {!isSummed &&
          (samples === undefined
            ? 'Each cell is taken for a replicate: where few samples were pooled, p-values are too small.'
            : 'Each cell is taken for a replicate, though cells of a sample resemble each other: p-values are too small, and say how these samples differ.')}
      </p>
    </div>
  );
}
