import type { DatasetAnalysis } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { DesignFields, nestedSamplesText, samplesOf, SidesField } from '@/features/comparisons/index.ts';
import { ColumnField, columnListQuery, groupsColumn } from '@/features/map/index.ts';
import { UnassignedField } from '@/features/markers/index.ts';
import { useServices } from '@/lib/services.ts';
import { type CompositionForm, limitNumber, transformOf, transforms } from './composition-form.ts';

interface CompositionFieldsProps {
  analysis: DatasetAnalysis;
  form: CompositionForm;
  onChange: (change: Partial<CompositionForm>) => void;
}

export function CompositionFields({ analysis, form, onChange }: CompositionFieldsProps) {
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
