import { referenceId } from './citation.tsx';
import type { Reference } from '@/content/blog/reference.ts';
import { addressOf } from '@/content/blog/reference.ts';

export function ReferenceList({ references }: { references: readonly Reference[] }) {
  return (
    <section aria-labelledby="references" className="mt-14 border-t pt-8">
      <h2 id="references" className="mb-4 text-lg font-semibold tracking-tight">
        References
      </h2>
      <ol className="marker:text-muted flex list-decimal flex-col gap-2.5 pl-7 text-[14px] leading-normal marker:tabular-nums">
        {references.map((reference) => {
          const { key, authors, year, title, journal, where, doi, address } = reference;
          return (
            <li
              key={key}
              id={referenceId(key)}
              className="target:bg-accent-soft scroll-mt-24 break-inside-avoid rounded-sm pl-1"
            >
              {authors} ({year}). {title}. <cite>{journal}</cite> {where}.{' '}
              <a
                href={addressOf(reference)}
                rel="noopener"
                className="text-accent break-words underline decoration-1 underline-offset-2 hover:no-underline"
              >
                {doi === undefined ? address : `doi:${doi}`}
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
