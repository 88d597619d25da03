import { bannerFacts } from './banner-cells.ts';
import type { Colouring } from './cloud-drawing.ts';

/** What the cells are coloured by at the moment. Decoration with the cloud it explains. */
export function CloudLegend({ colouring }: { colouring: Colouring }) {
  const gene = colouring === null ? undefined : bannerFacts.genes[colouring];
  return (
    <div aria-hidden className="flex h-5 items-center gap-3 text-[13px] font-medium">
      {gene === undefined ? (
        <>
          <span>Cell type</span>
          <span className="flex gap-1">
            {bannerFacts.cellTypes.map((type) => (
              <span
                key={type}
                className="size-2 rounded-full"
                style={{ backgroundColor: `color-mix(in srgb, white var(--cell-lift), var(--cell-${type}))` }}
              />
            ))}
          </span>
        </>
      ) : (
        <>
          <span className="min-w-14 italic">{gene}</span>
          <span className="text-muted flex items-center gap-1.5 text-xs font-normal">
            none
            <span className="from-ramp-low via-ramp-mid to-ramp-high dark:from-ramp-high dark:to-ramp-low h-1.5 w-24 rounded-full bg-linear-to-r" />
            high
          </span>
        </>
      )}
    </div>
  );
}
