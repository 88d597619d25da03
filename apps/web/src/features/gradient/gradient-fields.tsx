import type { DatasetAnalysis } from '@cellfolio/contract';
import { cellStateNames, columnTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { CurveGenesField, OrderFields } from '@/features/trajectory/index.ts';
import { useServices } from '@/lib/services.ts';
import {
  axisByOf,
  axisChoices,
  degreesParameter,
  type GradientForm,
  isWithinSamples,
  samplesOf,
  testChoices,
} from './gradient-form.ts';
import { type AxisFieldsProps, GroupLineFields, PointLineFields } from './line-fields.tsx';

interface GradientFieldsProps {
  analysis: DatasetAnalysis;
  form: GradientForm;
  onChange: (change: Partial<GradientForm>) => void;
}

export function GradientFields({ analysis, form, onChange }: GradientFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const list = useQuery(columnListQuery(api, dataset)).data;
  return (
    <>
      <ChoiceField
        label="Axis"
        choices={axisChoices}
        value={axisByOf(form)}
        onChange={(axisBy) => onChange({ axisBy })}
      />
      <AxisFields analysis={analysis} form={form} list={list} onChange={onChange} />
      <SamplesFields analysis={analysis} form={form} list={list} onChange={onChange} />
      <NumberField
        parameter={degreesParameter}
        step={1}
        value={form.degrees}
        onChange={(degrees) => onChange({ degrees })}
      />
      <CurveGenesField genes={form.genes} onChange={(genes) => onChange({ genes })} followed="the axis" />
      <p className="text-muted text-xs">
        Every gene is rank-correlated with the axis and tested for a smooth curve along it, which may rise and
        fall. Genes that define the axis are not tested.
      </p>
    </>
  );
}

function AxisFields(props: AxisFieldsProps) {
  const { analysis, form, list, onChange } = props;
  switch (axisByOf(form)) {
    case 'gene':
      return <GeneField {...props} />;
    case 'signature':
      return <SignatureFields {...props} />;
    case 'cell-state':
      return (
        <ChoiceField
          label="Cell state"
          choices={cellStateNames.map((name) => ({ value: name, label: name }))}
          value={form.cellState}
          onChange={(cellState) => onChange({ cellState })}
          placeholder="Choose a cell state"
        />
      );
    case 'column':
      return (
        <ColumnField
          label="Column"
          columns={list?.obs ?? []}
          problemOf={({ kind }) =>
            kind === 'levels' ? undefined : kind === 'none' ? 'a text for each cell' : 'labels'
          }
          chosen={form.column}
          none="Choose a column of numbers"
          required
          onChoose={(column) => onChange({ column })}
        />
      );
    case 'pseudotime':
      return <OrderFields analysis={analysis} form={form} onChange={onChange} />;
    case 'groups':
      return <GroupLineFields {...props} />;
    case 'line':
      return <PointLineFields {...props} />;
  }
}

function GeneField({ analysis, form, onChange }: GradientFieldsProps) {
  const { dataset_filename: filename, version, gene_library: library } = analysis;
  const index = useMemo(() => indexGenes(library, { filename, version }), [library, filename, version]);
  return (
    <div className="flex flex-col gap-1.5">
      <GenePicker
        index={index}
        label="Gene"
        hint="Cells are ranked by its expression."
        chosenLabel="Gene of the axis"
        genes={form.gene === '' ? [] : [form.gene]}
        onChange={(genes) => onChange({ gene: genes.at(-1) ?? '' })}
        showEmpty={false}
        most={1}
      />
    </div>
  );
}

function SignatureFields({ form, onChange }: GradientFieldsProps) {
  return (
    <>
      <Field label="Genes of the signature" hint="Names separated by commas or spaces.">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            value={form.signature}
            maxLength={100_000}
            onChange={(event) => onChange({ signature: event.target.value })}
          />
        )}
      </Field>
      <Field label="Name of the signature" optional>
        {(control) => (
          <Input
            {...control}
            value={form.signatureName}
            maxLength={200}
            onChange={(event) => onChange({ signatureName: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function SamplesFields({ analysis, form, list, onChange }: AxisFieldsProps) {
  const detected = analysis.samples;
  const samples = samplesOf(form, analysis);
  const isWithin = isWithinSamples(form);
  return (
    <>
      <ChoiceField
        label="Test"
        choices={testChoices}
        value={isWithin ? 'within' : 'pooled'}
        onChange={(test) => onChange({ test })}
        about={
          isWithin
            ? 'Differences between samples are ignored; samples with fewer than 20 cells are left out.'
            : undefined
        }
        warning={
          !isWithin
            ? 'Each cell counts as a replicate, and differences between samples look like a gradient: p-values are too small.'
            : samples === undefined
              ? 'No sample column is known: choose one, or all cells are tested together and p-values are too small.'
              : undefined
        }
      />
      {isWithin && (
        <ColumnField
          label="Samples"
          columns={list?.obs ?? []}
          chosen={form.samples}
          none={detected ? `${columnTitle(detected.column)} (detected)` : 'None detected'}
          onChoose={(chosen) => onChange({ samples: chosen })}
        />
      )}
    </>
  );
}
