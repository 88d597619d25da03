import type { DatasetAnalysis } from '@cellfolio/contract';
import { isOfSums } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CellTestFields, NumberFields } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  type ComparisonForm,
  comparisonRequestOf,
  comparisonNumbers,
  isComplete,
  methodOf,
} from './comparison-form.ts';
import { DesignFields } from './design-fields.tsx';
import { DesignPreview } from './design-preview.tsx';
import { MethodField, SamplesField } from './method-fields.tsx';
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
        The table has every gene. Genes below the p-value with at least the fold change, 1 being a doubling,
        are counted and coloured.
      </p>
    </>
  );
}
