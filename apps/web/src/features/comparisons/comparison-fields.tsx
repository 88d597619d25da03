import type { DatasetAnalysis, MapColumnList } from '@cellfolio/contract';
import { columnTitle, isOfSums } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CellTestFields, NumberFields } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { UnassignedField } from '@/features/markers/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  type ComparisonForm,
  comparisonRequestOf,
  comparisonNumbers,
  isComplete,
  methodOf,
  typeColumnOf,
  withinOf,
} from './comparison-form.ts';
import { DesignFields } from './design-fields.tsx';
import { DesignPreview } from './design-preview.tsx';
import { MethodField, SamplesField } from './method-fields.tsx';
import { ModerationFields } from './moderation-fields.tsx';
import { SidesField } from './sides-field.tsx';

/** Parameters that do not affect the design, so that changing a threshold requests no new one. */
const thresholds = { pvals_adj: undefined, logfoldchanges: undefined };

interface ComparisonFieldsProps {
  analysis: DatasetAnalysis;
  form: ComparisonForm;
  onChange: (change: Partial<ComparisonForm>) => void;
}

export function ComparisonFields({ analysis, form, onChange }: ComparisonFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const method = methodOf(form, analysis);
  return (
    <>
      <SidesField dataset={dataset} form={form} onChange={onChange} />
      <WithinField analysis={analysis} columns={columns} form={form} onChange={onChange} />
      <MethodField analysis={analysis} form={form} onChange={onChange} />
      <SamplesField analysis={analysis} form={form} columns={columns} onChange={onChange} />
      {isOfSums(method) && (
        <DesignFields
          columns={columns}
          form={form}
          hasRandomEffect={method === 'pseudobulk'}
          onChange={onChange}
        >
          {isComplete(form, analysis) && (
            <DesignPreview
              opened={`${dataset.filename}@${dataset.version}`}
              request={{ ...comparisonRequestOf(form, analysis), ...thresholds }}
            />
          )}
        </DesignFields>
      )}
      {method === 'pseudobulk' && <ModerationFields form={form} onChange={onChange} />}
      {!isOfSums(method) && (
        <CellTestFields form={form} hasCounts={analysis.raw_counts} onChange={onChange} />
      )}
      <NumberFields numbers={comparisonNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        The table has every gene. Genes below the p-value and at or above the fold change (1 = doubling) are
        counted and coloured.
      </p>
    </>
  );
}

/** Which cells are compared with each other: those of each type, unless types are what is compared. */
function WithinField({
  analysis,
  columns,
  form,
  onChange,
}: ComparisonFieldsProps & { columns: MapColumnList['obs'] }) {
  const types = typeColumnOf(form, analysis);
  const within = withinOf(form, analysis);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label="Within each group of"
        columns={columns}
        chosen={within}
        none="All cells together"
        onChoose={(chosen) => onChange({ within: chosen, together: chosen === '' ? 'yes' : '' })}
      />
      {within !== '' && (
        <UnassignedField
          analysis={analysis}
          groupBy={within}
          unassigned={form.unassigned}
          onChange={onChange}
        />
      )}
      {types !== undefined && (within === types || within === '') && (
        <p className="text-muted text-xs">
          {within === ''
            ? `Genes of a group of ${columnTitle(types)} differ if A and B have different shares of it, even if no cell changed. The result shows how much the shares differ.`
            : 'Each group is compared separately, so that different shares of it in A and B do not look like gene changes. Or choose all cells together.'}
        </p>
      )}
    </div>
  );
}
