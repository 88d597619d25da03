import type { QualityPlan } from '@cellfolio/contract';
import { Field } from '@/components/ui/field.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';

interface SampleFieldProps {
  plan: QualityPlan | undefined;
  /** `undefined`: as found; `null`: none. */
  value: string | null | undefined;
  onChange: (value: string | null | undefined) => void;
}

// A column may have any name, so names are marked as such.
const automatic = 'automatic';
const none = 'none';
const named = 'column ';

/** Whose samples have thresholds of their own. */
export function SampleField({ plan, value, onChange }: SampleFieldProps) {
  const names = [...new Set([...(plan?.sampleColumns ?? []), ...(typeof value === 'string' ? [value] : [])])];
  // What is found shows only in a plan that was made without a choice.
  const found = plan?.choice.sampleColumn === undefined ? `: ${plan?.sampleColumn ?? 'all cells'}` : '';
  return (
    <Field label="Thresholds per" hint="A sample with less RNA is not judged by the others.">
      {(control) => (
        <Select
          value={value === undefined ? automatic : value === null ? none : named + value}
          onValueChange={(chosen) =>
            onChange(chosen === automatic ? undefined : chosen === none ? null : chosen.slice(named.length))
          }
        >
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
            <SelectItem value={automatic}>Automatic{found}</SelectItem>
            <SelectItem value={none}>All cells together</SelectItem>
            {names.map((name) => (
              <SelectItem key={name} value={named + name} className="wrap-anywhere">
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
