import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { counted, formatCount } from '@/lib/counted.ts';
import type { CountedFacet } from './facets.ts';
import { facetText } from './facet-text.ts';

interface FacetMenuProps extends CountedFacet {
  onChange: (values: string[]) => void;
}

/** A button that opens the values of a facet, each with the datasets that it would leave. */
export function FacetMenu({ facet, values, onChange }: FacetMenuProps) {
  const id = useId();
  const chosen = values.filter((value) => value.chosen).map(({ value }) => value);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          size="sm"
          className={cn(
            'gap-1.5 px-2.5',
            chosen.length > 0 &&
              'border-accent bg-accent-soft text-accent-soft-foreground hover:bg-accent-soft',
          )}
        >
          {facet.title}
          {chosen.length > 0 && (
            <span className="bg-accent text-accent-foreground flex h-4.5 min-w-4.5 items-center justify-center rounded-full px-1 text-[11px] tabular-nums">
              {chosen.length}
              <span className="sr-only"> chosen</span>
            </span>
          )}
          <ChevronDown aria-hidden className="text-muted -mr-0.5" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="w-76 p-2" aria-label={`Filter by ${facet.title}`}>
        <fieldset className="min-w-0">
          <legend className="mb-1 flex w-full items-center justify-between gap-2 px-2 text-[13px] font-medium">
            {facet.title}
          </legend>
          <ul className="flex max-h-72 flex-col overflow-y-auto">
            {values.map(({ value, count, chosen: on }, index) => (
              <li key={value}>
                <label
                  htmlFor={`${id}${index}`}
                  className={cn(
                    'flex min-h-8 items-center gap-2.5 rounded px-2 py-1 text-[13px]',
                    count === 0 && !on
                      ? 'text-muted cursor-not-allowed'
                      : 'hover:bg-surface-2 cursor-pointer',
                  )}
                >
                  <Checkbox
                    id={`${id}${index}`}
                    checked={on}
                    disabled={count === 0 && !on}
                    onCheckedChange={() =>
                      onChange(
                        // In the order of the list, whatever the order of the clicks: one choice, one address.
                        values
                          .filter((other) => (other.value === value ? !on : other.chosen))
                          .map((v) => v.value),
                      )
                    }
                  />
                  <span className="min-w-0 flex-1 wrap-anywhere">{facetText(value)}</span>
                  <span className="text-muted shrink-0 text-xs tabular-nums">
                    <span aria-hidden>{formatCount(count)}</span>
                    <span className="sr-only">, {counted(count, 'dataset')}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        {chosen.length > 0 && (
          <Button variant="ghost" size="xs" className="mt-1" onClick={() => onChange([])}>
            Clear {facet.title.toLowerCase()}
          </Button>
        )}
      </PopoverContent>
    </Popover>
  );
}
