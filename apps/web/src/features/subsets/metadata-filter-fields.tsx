import { columnTitle } from '@cellfolio/contract';
import { useId } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { formatCount } from '@/lib/format.ts';
import type { FilterConfig } from './filter-config.ts';

export interface MetadataField {
  name: string;
  values: readonly string[];
  /** Cells per value; absent if the server does not count them. */
  counts?: readonly number[] | undefined;
}

interface MetadataFilterFieldsProps {
  filename: string;
  fields: readonly MetadataField[];
  cellCount: number;
  value: FilterConfig['metadataFilter'];
  onChange: (value: FilterConfig['metadataFilter']) => void;
  /** Field whose values each get a subset; absent if this is not offered. */
  each?: { field: string | null; onChange: (field: string | null) => void } | undefined;
}

export function MetadataFilterFields({
  filename,
  fields,
  cellCount,
  value,
  onChange,
  each,
}: MetadataFilterFieldsProps) {
  const id = useId();
  const { ofField } = useCategoryNames(filename);
  const keptValues = new Map(Object.entries(value.patientMetadata));
  const names = fields.map(({ name }) => name);
  if (names.length === 0) {
    return <p className="text-muted text-[13px]">This dataset has no metadata fields.</p>;
  }
  const toggle = (field: string, on: boolean) =>
    onChange({
      ...value,
      selectedFields: names.filter((name) => (name === field ? on : value.selectedFields.includes(name))),
    });
  const setValues = (field: string, values: string[]) => {
    onChange({ ...value, patientMetadata: Object.fromEntries(new Map(keptValues).set(field, values)) });
  };
  const partBy = (field: string, values: readonly string[], on: boolean) => {
    each?.onChange(on ? field : null);
    // Nothing ticked means all of them here.
    if (on && (keptValues.get(field) ?? []).length === 0) setValues(field, [...values]);
  };
  return (
    <ul aria-label="Metadata fields" className="flex flex-col gap-1.5">
      {fields.map(({ name: field, values, counts }) => {
        const on = value.selectedFields.includes(field);
        const missing = counts === undefined ? 0 : cellCount - counts.reduce((sum, cells) => sum + cells, 0);
        return (
          <li key={field} className="flex flex-col gap-1.5">
            <div className="flex items-center gap-2 text-[13px]">
              <Checkbox
                id={`${id}-${field}`}
                checked={on}
                onCheckedChange={(checked) => toggle(field, checked === true)}
              />
              <label htmlFor={`${id}-${field}`} className="min-w-0 truncate" title={field}>
                {columnTitle(field)}
              </label>
            </div>
            {on && (
              <div className="pl-6">
                <CheckList
                  legend={`Values of ${columnTitle(field)}`}
                  items={values.map((name, place) => ({
                    value: name,
                    label: ofField(field, name),
                    title: namesText(ofField(field, name), name),
                    count: counts?.[place],
                  }))}
                  checked={keptValues.get(field) ?? []}
                  onChange={(values) => setValues(field, values)}
                >
                  {missing > 0 && (
                    <p className="text-muted text-xs">
                      {`Missing (${formatCount(missing)}): cells without a value, always excluded by this filter.`}
                    </p>
                  )}
                  {each !== undefined && values.length > 1 && (
                    <div className="flex items-center gap-2 text-[13px]">
                      <Checkbox
                        id={`${id}-each-${field}`}
                        checked={each.field === field}
                        onCheckedChange={(checked) => partBy(field, values, checked === true)}
                      />
                      <label htmlFor={`${id}-each-${field}`}>A subset for each value</label>
                    </div>
                  )}
                </CheckList>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
