import { type DatasetAnalysis, cellStateNames, columnTitle, type MapColumnList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import {
  ColumnField,
  columnListQuery,
  type ChosenEmbedding,
  embeddingTitle,
  type MapPoint,
  PickOnMap,
  useLineOnMaps,
  useSelectionCentre,
} from '@/features/map/index.ts';
import { CurveGenesField, OrderFields, GroupField } from '@/features/trajectory/index.ts';
import { useServices } from '@/lib/services.ts';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural } from '@/lib/format.ts';
import {
  axisByOf,
  axisChoices,
  degreesParameter,
  type GradientForm,
  isWithinSamples,
  samplesOf,
  testChoices,
  coordinateProblem,
  lineFields,
  lineOf,
  lineProblem,
} from './gradient-form.ts';

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
        max={1}
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

interface AxisFieldsProps {
  analysis: DatasetAnalysis;
  form: GradientForm;
  list: MapColumnList | undefined;
  onChange: (change: Partial<GradientForm>) => void;
}

function GroupLineFields({ analysis, form, list, onChange }: AxisFieldsProps) {
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const problem = lineProblem(form);
  return (
    <>
      <ColumnField
        label="Groups of"
        columns={list?.obs ?? []}
        chosen={form.lineGroupBy}
        none="Choose a column"
        required
        onChoose={(lineGroupBy) => onChange({ lineGroupBy, lineFrom: '', lineTo: '' })}
      />
      <GroupField
        label="From the centre of"
        dataset={dataset}
        column={form.lineGroupBy}
        group={form.lineFrom}
        onChange={(lineFrom) => onChange({ lineFrom })}
      />
      <GroupField
        label="To the centre of"
        dataset={dataset}
        column={form.lineGroupBy}
        group={form.lineTo}
        onChange={(lineTo) => onChange({ lineTo })}
      />
      {problem !== undefined && <p className="text-danger text-xs">{problem}</p>}
      <EmbeddingField form={form} list={list} onChange={onChange} />
    </>
  );
}

function PointLineFields({ analysis, form, list, onChange }: AxisFieldsProps) {
  const problem = lineProblem(form);
  const { dataset_filename: filename } = analysis;
  const defaultName = standardEmbedding(list);
  const line = lineOf(form);
  useLineOnMaps(
    filename,
    line && defaultName !== undefined
      ? {
          ...line,
          embedding: form.embedding === '' ? defaultName : form.embedding,
          isDefault: form.embedding === '' || form.embedding === defaultName,
        }
      : undefined,
  );
  const take = (from: MapPoint, to: MapPoint, shown: ChosenEmbedding | null) => {
    if (shown !== null && (shown.axes[0] !== 0 || shown.axes[1] !== 1)) {
      toast.error('Line Not Taken', {
        description: 'Draw lines on the first two axes of an embedding: choose these above the maps.',
      });
      return;
    }
    const embedding = shown === null || shown.name === defaultName ? '' : shown.name;
    const [fromX, fromY] = from.map(rounded) as [string, string];
    const [toX, toY] = to.map(rounded) as [string, string];
    onChange({ fromX, fromY, toX, toY, embedding });
  };
  return (
    <>
      <PickOnMap
        filename={filename}
        label="Draw the line on the map"
        pick={{
          of: 'line',
          prompt: 'Drag from where the axis is 0 to where it is 1, or click both ends.',
          onPicked: take,
        }}
      />
      <div className="grid grid-cols-2 gap-2">
        {lineFields.map(({ field, label }) => (
          <Field
            key={field}
            label={label}
            error={form[field] === '' ? undefined : coordinateProblem(form[field])}
            className="[&_label]:text-xs"
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                value={form[field]}
                maxLength={40}
                onChange={(event) => onChange({ [field]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <SelectionEnds analysis={analysis} form={form} list={list} onChange={onChange} />
      {problem !== undefined && <p className="text-danger text-xs">{problem}</p>}
      <EmbeddingField form={form} list={list} onChange={onChange} />
      <p className="text-muted text-xs">
        All cells are projected on the line, including those beyond its ends. To leave out others, activate a
        subset of the cells along it.
      </p>
    </>
  );
}

/** Five digits: a thousandth of a pixel, and short enough to read. */
const rounded = (value: number) => String(Number(value.toPrecision(5)));

function standardEmbedding(list: MapColumnList | undefined): string | undefined {
  return list?.default_embedding ?? list?.embeddings.find(({ dimensions }) => dimensions >= 2)?.name;
}

function SelectionEnds({ analysis, form, list, onChange }: AxisFieldsProps) {
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const name = form.embedding === '' ? list?.default_embedding : form.embedding;
  const selected = useSelectionCentre(dataset, name === undefined ? undefined : { name, axes: [0, 1] });
  if (selected === undefined) {
    return (
      <p className="text-muted text-xs">To use a centre as an end, select cells on the map with the lasso.</p>
    );
  }
  const ends = [
    { label: 'From', x: 'fromX', y: 'fromY' },
    { label: 'To', x: 'toX', y: 'toY' },
  ] as const;
  return (
    <div className="flex flex-wrap gap-2">
      {ends.map(({ label, x, y }) => (
        <Button
          key={label}
          variant="secondary"
          size="sm"
          disabled={selected.centre === undefined}
          onClick={() => onChange({ [x]: rounded(selected.centre![0]), [y]: rounded(selected.centre![1]) })}
        >
          {label} the {plural(selected.count, 'selected cell')}
        </Button>
      ))}
    </div>
  );
}

function EmbeddingField({ form, list, onChange }: Omit<AxisFieldsProps, 'analysis'>) {
  const plane = (list?.embeddings ?? []).filter(({ dimensions }) => dimensions >= 2);
  if (list === undefined || plane.length < 2) return null;
  const defaultName = standardEmbedding(list)!;
  return (
    <ChoiceField
      label="Map"
      choices={plane.map(({ name }) => ({
        value: name,
        label: embeddingTitle({ name, axes: [0, 1] }, list),
      }))}
      value={form.embedding === '' ? defaultName : form.embedding}
      onChange={(embedding) => onChange({ embedding: embedding === defaultName ? '' : embedding })}
    />
  );
}
