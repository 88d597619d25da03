import type { DatasetAnalysis, MapColumnList } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Field, Input } from '@/components/ui/form.tsx';
import { ChoiceField } from '@/features/analyses/index.ts';
import {
  type ChosenEmbedding,
  ColumnField,
  embeddingTitle,
  type MapPoint,
  PickOnMap,
  useLineOnMaps,
  useSelectionCentre,
} from '@/features/map/index.ts';
import { GroupField } from '@/features/trajectory/index.ts';
import { plural } from '@/lib/format.ts';
import { coordinateProblem, type GradientForm, lineFields, lineOf, lineProblem } from './gradient-form.ts';

export interface AxisFieldsProps {
  analysis: DatasetAnalysis;
  form: GradientForm;
  list: MapColumnList | undefined;
  onChange: (change: Partial<GradientForm>) => void;
}

export function GroupLineFields({ analysis, form, list, onChange }: AxisFieldsProps) {
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

export function PointLineFields({ analysis, form, list, onChange }: AxisFieldsProps) {
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
