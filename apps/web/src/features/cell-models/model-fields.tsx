import type { DatasetAnalysis } from '@cellfolio/contract';
import { cellModels } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChoiceField, NumberFields } from '@/features/analyses/index.ts';
import { GroupByField } from '@/features/markers/index.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { type ModelForm, modelNumbers } from './model-form.ts';

interface ModelFieldsProps {
  analysis: DatasetAnalysis;
  form: ModelForm;
  onChange: (change: Partial<ModelForm>) => void;
}

export function ModelFields({ analysis, form, onChange }: ModelFieldsProps) {
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
            chosen.licence === '' ? 'licence not stated' : chosen.licence,
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
        to the model cannot be found. No cell is labelled until you apply the labels.
      </p>
    </>
  );
}
