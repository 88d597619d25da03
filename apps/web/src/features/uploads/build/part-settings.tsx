import type { PartChoice } from '@cellfolio/contract';
import { Field } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { ResolutionsField } from '../samples/samples-settings.tsx';

interface PartSettingsProps {
  choice: PartChoice;
  /** Columns of obs that may tell batches apart. */
  columns: readonly string[];
  /** Why the choice is as it is. */
  hint?: string;
  onChange: (choice: PartChoice) => void;
}

const none = 'none';
// A column may have any name, so names are marked as such.
const named = 'column ';
const whatHarmonyDoes =
  'Harmony takes differences between the values of a column out of the map and the clusters; counts stay as they are.';

/** What is done with the samples among some cells: two fields. */
export function PartSettings({ choice, columns, hint = whatHarmonyDoes, onChange }: PartSettingsProps) {
  const { batchColumn, resolutions } = choice;
  const offered = [...new Set([...columns, ...(batchColumn === undefined ? [] : [batchColumn])])];
  return (
    <>
      <Field label="Integration" hint={hint}>
        {(control) => (
          <Select
            value={batchColumn === undefined ? none : named + batchColumn}
            onValueChange={(chosen) =>
              onChange(
                chosen === none ? { resolutions } : { resolutions, batchColumn: chosen.slice(named.length) },
              )
            }
            disabled={offered.length === 0}
          >
            <SelectTrigger {...control} data-size="sm">
              <SelectValue />
            </SelectTrigger>
            <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
              <SelectItem value={none}>None</SelectItem>
              {offered.map((name) => (
                <SelectItem key={name} value={named + name} className="wrap-anywhere">
                  Harmony over {name}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        )}
      </Field>
      <ResolutionsField
        resolutions={resolutions}
        onChange={(chosen) => onChange({ ...choice, resolutions: chosen })}
      />
    </>
  );
}
