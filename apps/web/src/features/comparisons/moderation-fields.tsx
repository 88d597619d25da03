import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { Label } from '@/components/ui/form.tsx';
import { type ComparisonForm, moderationOptions } from './comparison-form.ts';

type ModerationForm = Pick<ComparisonForm, (typeof moderationOptions)[number]['field']>;

interface ModerationFieldsProps {
  form: ModerationForm;
  onChange: (change: Partial<ModerationForm>) => void;
}

export function ModerationFields({ form, onChange }: ModerationFieldsProps) {
  const id = useId();
  return (
    <Collapsible defaultOpen={moderationOptions.some(({ field }) => form[field] === 'yes')}>
      <CollapsibleTrigger>Options</CollapsibleTrigger>
      <CollapsibleContent className="px-2">
        <ul className="flex flex-col gap-3 py-2">
          {moderationOptions.map(({ field, label, reason }) => (
            <li key={field} className="flex items-start gap-2">
              <Checkbox
                id={`${id}-${field}`}
                aria-describedby={`${id}-${field}-about`}
                checked={form[field] === 'yes'}
                onCheckedChange={(next) => onChange({ [field]: next === true ? 'yes' : '' })}
              />
              <div className="flex min-w-0 flex-col gap-1">
                <Label htmlFor={`${id}-${field}`}>{label}</Label>
                <p id={`${id}-${field}-about`} className="text-muted text-xs">
                  {reason}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </CollapsibleContent>
    </Collapsible>
  );
}
