import { SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { CountedFacet } from './facets.ts';
import { FacetMenu } from './facet-menu.tsx';
import { facetText } from './facet-text.ts';

interface FacetBarProps {
  facets: readonly CountedFacet[];
  /** Datasets that are left, and of how many. */
  found: number;
  all: number;
  onChange: (key: string, values: readonly string[]) => void;
  onClear: () => void;
}

/** What the catalogue can be narrowed by, what is chosen of it, and what that leaves. */
export function FacetBar({ facets, found, all, onChange, onClear }: FacetBarProps) {
  const id = useId();
  // Only a phone, which has no room for all of them, opens and closes them.
  const [open, setOpen] = useState(false);
  const chosen = facets.flatMap(({ facet, values }) => {
    const kept = values.filter((value) => value.chosen).map(({ value }) => value);
    return kept.map((value) => ({ facet, value, others: kept.filter((other) => other !== value) }));
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
          {facets.map(({ facet, values }) => (
            <FacetMenu
              key={facet.key}
              facet={facet}
              values={values}
              onChange={(next) => onChange(facet.key, next)}
            />
          ))}
        </div>
        <p role="status" className="text-muted ml-auto shrink-0 text-[13px] leading-8 tabular-nums">
          {found === all ? counted(all, 'dataset') : `${formatCount(found)} of ${counted(all, 'dataset')}`}
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
