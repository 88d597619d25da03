import { columnTitle } from '@cellfolio/contract';
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { CheckList } from '@/features/cell-type-visualization/check-list.tsx';
import type { FilterConfig } from './filter-config.ts';

interface MetadataFilterFieldsProps {
  /** The fields of the dataset, each with its values. */
  fields: Readonly<Record<string, readonly string[]>>;
  value: FilterConfig['metadataFilter'];
  onChange: (value: FilterConfig['metadataFilter']) => void;
}

/** Cells by metadata: fields, and of each the values to keep. */
export function MetadataFilterFields({ fields, value, onChange }: MetadataFilterFieldsProps) {
  const id = useId();
  const valuesOf = new Map(Object.entries(fields));
  const keptValues = new Map(Object.entries(value.patientMetadata));
  const names = [...valuesOf.keys()];
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
  return (
    <ul aria-label="Metadata fields" className="flex flex-col gap-1.5">
      {names.map((field) => {
        const on = value.selectedFields.includes(field);
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
                  items={(valuesOf.get(field) ?? []).map((name) => ({ value: name, label: name }))}
                  checked={keptValues.get(field) ?? []}
                  onChange={(values) => setValues(field, values)}
                />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
