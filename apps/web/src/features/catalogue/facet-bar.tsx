import { ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useMediaQuery } from '@/lib/use-browser.ts';
import type { CountedFacet } from './facets.ts';
import { inOrder, missingFacet } from './facets.ts';

interface FacetBarProps {
  facets: readonly CountedFacet[];
  matchCount: number;
  all: number;
  onChange: (key: string, values: readonly string[]) => void;
  onClear: () => void;
}

/** Same as `max-sm` in the style sheet. */
const belowSm = '(width < 40rem)';

export function FacetBar({ facets, matchCount, all, onChange, onClear }: FacetBarProps) {
  const id = useId();
  // Only a phone, which has no room for all of them, opens and closes them: until then it need not draw them.
  const phone = useMediaQuery(belowSm);
  const [open, setOpen] = useState(false);
  const chosen = facets.flatMap(({ facet, values }) => {
    const chosenValues = inOrder({ facet, values: values.filter((value) => value.chosen) }).map(
      ({ value }) => value,
    );
    return chosenValues.map((value) => ({
      facet,
      value,
      others: chosenValues.filter((other) => other !== value),
    }));
  });
  return (
    <section aria-label="Filters" className="mb-4 flex flex-col gap-2">
      <div className="flex items-start gap-x-3 gap-y-2 max-sm:flex-wrap max-sm:items-center">
        <Button
          variant="secondary"
          size="sm"
          className="sm:hidden"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden />
          Filters{chosen.length > 0 && ` (${chosen.length})`}
        </Button>
        <SlidersHorizontal aria-hidden className="text-muted mt-2 size-4 shrink-0 max-sm:hidden" />
        <div
          id={id}
          role="group"
          aria-label="Filter by"
          className={cn(
            'flex min-w-0 flex-1 flex-wrap gap-1.5 max-sm:order-last max-sm:basis-full',
            !open && 'max-sm:hidden',
          )}
        >
          {(open || !phone) &&
            facets.map(({ facet, values }) => (
              <FacetMenu
                key={facet.key}
                facet={facet}
                values={values}
                onChange={(next) => onChange(facet.key, next)}
              />
            ))}
        </div>
        <p role="status" className="text-muted ml-auto shrink-0 text-[13px] leading-8 tabular-nums">
          {matchCount === all
            ? plural(all, 'dataset')
            : `${formatCount(matchCount)} of ${plural(all, 'dataset')}`}
        </p>
      </div>
      {chosen.length > 0 && (
        <ul aria-label="Chosen filters" className="flex flex-wrap items-center gap-1.5">
          {chosen.map(({ facet, value, others }) => (
            <li key={`${facet.key}\n${value}`} className="min-w-0">
              <button
                type="button"
                aria-label={`Remove filter ${facet.title}: ${facetText(value)}`}
                onClick={() => onChange(facet.key, others)}
                className="bg-surface-2 hover:bg-surface-3 flex max-w-full items-center gap-1.5 rounded-full border py-0.5 pr-2 pl-2.5 text-xs transition-colors"
              >
                <span className="min-w-0 truncate">
                  <span className="text-muted">{facet.title}:</span> {facetText(value)}
                </span>
                <X aria-hidden className="size-3.5 shrink-0" />
              </button>
            </li>
          ))}
          <li>
            <Button variant="link" size="inline" className="px-1 text-xs" onClick={onClear}>
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </section>
  );
}

interface FacetMenuProps extends CountedFacet {
  onChange: (values: string[]) => void;
}

function FacetMenu({ facet, values, onChange }: FacetMenuProps) {
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
        <FacetValues facet={facet} values={values} onChange={onChange} />
        {chosen.length > 0 && (
          <Button variant="ghost" size="xs" className="mt-1" onClick={() => onChange([])}>
            Clear {facet.title.toLowerCase()}
          </Button>
        )}
      </PopoverContent>
    </Popover>
  );
}

const searchFrom = 13;

function FacetValues({ facet, values, onChange }: FacetMenuProps) {
  const id = useId();
  const listed = inOrder({ facet, values });
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  const shown = listed.filter(({ value }) => facetText(value).toLowerCase().includes(text));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 px-2 text-[13px] font-medium">{facet.title}</legend>
      {values.length >= searchFrom && (
        <Input
          type="search"
          className="mx-1 mb-1 h-8 w-[calc(100%-0.5rem)] text-[13px]"
          aria-label={`Find in ${facet.title}`}
          placeholder="Find"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {/* As high as nine values and a part of the next, which tells that there are more. */}
      <ul className="flex max-h-75 flex-col overflow-y-auto">
        {shown.map(({ value, count, chosen }) => (
          <li key={value}>
            <label
              htmlFor={`${id}${value}`}
              className={cn(
                'flex min-h-8 items-center gap-2.5 rounded px-2 py-1 text-[13px]',
                count === 0 && !chosen
                  ? 'text-muted cursor-not-allowed'
                  : 'hover:bg-surface-2 cursor-pointer',
              )}
            >
              <Checkbox
                id={`${id}${value}`}
                checked={chosen}
                disabled={count === 0 && !chosen}
                onCheckedChange={() =>
                  onChange(
                    values
                      .filter((other) => (other.value === value ? !chosen : other.chosen))
                      .map((other) => other.value),
                  )
                }
              />
              <span className="min-w-0 flex-1 wrap-anywhere">{facetText(value)}</span>
              <span className="text-muted shrink-0 text-xs tabular-nums">
                <span aria-hidden>{formatCount(count)}</span>
                <span className="sr-only">, {plural(count, 'dataset')}</span>
              </span>
            </label>
          </li>
        ))}
        {shown.length === 0 && <li className="text-muted px-2 py-1 text-[13px]">Nothing matches.</li>}
      </ul>
    </fieldset>
  );
}

const facetText = (value: string) => (value === missingFacet ? 'Not given' : value);
