import { type KeyScope, keyScopeNames, keyScopes } from '@cellfolio/contract';
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox.tsx';

interface ScopeBoxesProps {
  offered: readonly KeyScope[];
  chosen: readonly KeyScope[];
  onChoose: (scopes: readonly KeyScope[]) => void;
}

/** Checkboxes of scopes, at least one of which is chosen. */
export function ScopeBoxes({ offered, chosen, onChoose }: ScopeBoxesProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Scopes</legend>
      {offered.map((scope) => (
        <div key={scope} className="flex items-start gap-2.5 text-[13px]">
          <Checkbox
            id={`${id}-${scope}`}
            aria-describedby={`${id}-${scope}-about`}
            checked={chosen.includes(scope)}
            onCheckedChange={(checked) =>
              onChoose(offered.filter((one) => (one === scope ? checked === true : chosen.includes(one))))
            }
          />
          <div>
            <label htmlFor={`${id}-${scope}`} className="font-medium">
              {keyScopes[scope].label}
            </label>
            <p id={`${id}-${scope}-about`} className="text-muted">
              {keyScopes[scope].description}
            </p>
          </div>
        </div>
      ))}
      {chosen.length === 0 && (
        <p role="alert" className="text-danger text-[13px]">
          Choose at least one.
        </p>
      )}
    </fieldset>
  );
}

export function scopeTitles(scopes: readonly KeyScope[]): string {
  if (scopes.length === keyScopeNames.length) return 'All scopes';
  return scopes.map((scope) => keyScopes[scope].label).join(', ');
}
