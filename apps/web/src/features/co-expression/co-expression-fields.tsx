import type { DatasetAnalysis } from '@cellfolio/contract';
import { ChoiceField, ComponentsNote, NumberFields } from '@/features/analyses/index.ts';
import { GraphField } from '@/features/trajectory/index.ts';
import { type CoExpressionForm, coExpressionNumbers, modelChoices } from './co-expression-form.ts';

interface CoExpressionFieldsProps {
  analysis: DatasetAnalysis;
  form: CoExpressionForm;
  onChange: (change: Partial<CoExpressionForm>) => void;
}

export function CoExpressionFields({ analysis, form, onChange }: CoExpressionFieldsProps) {
  return (
    <>
      <ComponentsNote analysis={analysis} what="the graph of cells" />
      <ChoiceField
        label="Values"
        choices={modelChoices}
        value={modelChoices.find(({ value }) => value === form.model)?.value ?? 'auto'}
        onChange={(model) => onChange({ model })}
      />
      <GraphField graph={form.graph} onChange={(graph) => onChange({ graph })} />
      <NumberFields numbers={coExpressionNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Genes with similar expression in neighbouring cells are correlated over neighbourhoods and grouped
        into modules (Hotspot). Up to 200,000 active cells.
      </p>
    </>
  );
}
