import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import {
  type ChosenEmbedding,
  type MapPoint,
  PickOnMap,
  useLineOnMaps,
  useSelectionCentre,
} from '@/features/map/index.ts';
import { plural } from '@/lib/format.ts';
import { type ControlProps, datasetOf, EmbeddingField, standardEmbedding } from './controls.tsx';

/** A point as far as it is typed: null for what is no number. */
type TypedPoint = readonly [x: number | null, y: number | null];
type Point = readonly [x: number, y: number];

/** Both ends of a line on an embedding, drawn on the map, typed, or the centres of selected cells. */
export function LineField({ analysis, list, field, name, texts, text, onChange }: ControlProps) {
  const beside = name.slice(0, name.lastIndexOf('.') + 1);
  const [to = '', embeddingName = ''] = (field.also ?? []).map((other) => `${beside}${other}`);
  const embedding = texts.get(embeddingName) ?? '';
  const defaultName = standardEmbedding(list);
  const ends = [
    { name, label: 'From', point: pointOf(text) },
    { name: to, label: 'To', point: pointOf(texts.get(to) ?? '') },
  ];
  const [start, end] = ends.map(({ point }) => point);
  useLineOnMaps(
    analysis.dataset_filename,
    isPoint(start) && isPoint(end) && defaultName !== undefined
      ? {
          from: [...start],
          to: [...end],
          embedding: embedding === '' ? defaultName : embedding,
          isDefault: embedding === '' || embedding === defaultName,
        }
      : undefined,
  );
  const take = (from: MapPoint, until: MapPoint, shown: ChosenEmbedding | null) => {
    if (shown !== null && (shown.axes[0] !== 0 || shown.axes[1] !== 1)) {
      toast.error('Line Not Taken', {
        description: 'Draw lines on the first two axes of an embedding: choose these above the maps.',
      });
      return;
    }
    onChange({
      [name]: textOf(from),
      [to]: textOf(until),
      [embeddingName]: shown === null || shown.name === defaultName ? '' : shown.name,
    });
  };
  return (
    <>
      <PickOnMap
        filename={analysis.dataset_filename}
        label="Draw the line on the map"
        pick={{
          of: 'line',
          prompt: 'Drag from where the axis is 0 to where it is 1, or click both ends.',
          onPicked: take,
        }}
      />
      <div className="grid grid-cols-2 gap-2">
        {ends.flatMap(({ name: own, label, point: [x, y] }) => [
          <CoordinateField
            key={`${own} x`}
            label={`${label}: horizontal`}
            value={x}
            onChange={(value) => onChange({ [own]: JSON.stringify([value, y]) })}
          />,
          <CoordinateField
            key={`${own} y`}
            label={`${label}: vertical`}
            value={y}
            onChange={(value) => onChange({ [own]: JSON.stringify([x, value]) })}
          />,
        ])}
      </div>
      <SelectionEnds
        analysis={analysis}
        embedding={embedding === '' ? list?.default_embedding : embedding}
        ends={ends}
        onChange={onChange}
      />
      <EmbeddingField
        label="Map"
        list={list}
        text={embedding}
        change={(chosen) => onChange({ [embeddingName]: chosen })}
      />
      <p className="text-muted text-xs">{field.hint}</p>
    </>
  );
}

/** From storage, too. */
function pointOf(text: string): TypedPoint {
  try {
    const [x, y] = JSON.parse(text) as unknown[];
    const finite = (value: unknown) => (Number.isFinite(value) ? (value as number) : null);
    return [finite(x), finite(y)];
  } catch {
    return [null, null];
  }
}

function isPoint(point: TypedPoint | undefined): point is Point {
  return point !== undefined && point[0] !== null && point[1] !== null;
}

/** Five digits: a thousandth of a pixel, and short enough to read. */
function textOf(point: MapPoint): string {
  return JSON.stringify(point.map((value) => Number(value.toPrecision(5))));
}

interface CoordinateFieldProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

function CoordinateField({ label, value, onChange }: CoordinateFieldProps) {
  const [typed, setTyped] = useState('');
  // What is typed stays until the value becomes another one.
  const shown = coordinateOf(typed) === value ? typed : value === null ? '' : String(value);
  return (
    <Field
      label={label}
      error={shown === '' || value !== null ? undefined : 'Enter a number.'}
      className="[&_label]:text-xs"
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={shown}
          maxLength={40}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(coordinateOf(target.value));
          }}
        />
      )}
    </Field>
  );
}

function coordinateOf(text: string): number | null {
  const written = text.trim().replace(',', '.').replace('−', '-');
  return written !== '' && Number.isFinite(Number(written)) ? Number(written) : null;
}

interface SelectionEndsProps extends Pick<ControlProps, 'analysis' | 'onChange'> {
  embedding: string | undefined;
  ends: readonly { name: string; label: string }[];
}

function SelectionEnds({ analysis, embedding, ends, onChange }: SelectionEndsProps) {
  const selected = useSelectionCentre(
    datasetOf(analysis),
    embedding === undefined ? undefined : { name: embedding, axes: [0, 1] },
  );
  if (selected === undefined) {
    return (
      <p className="text-muted text-xs">To use a center as an end, select cells on the map with the lasso.</p>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {ends.map(({ name, label }) => (
        <Button
          key={label}
          variant="secondary"
          size="sm"
          disabled={selected.centre === undefined}
          onClick={() => onChange({ [name]: textOf(selected.centre!) })}
        >
          {label} the {plural(selected.count, 'selected cell')}
        </Button>
      ))}
    </div>
  );
}
