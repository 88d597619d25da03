import { createContext, Fragment, useContext } from 'react';
import { addressOf } from '@/content/blog/reference.ts';
import type { Reference } from '@/content/blog/reference.ts';

export const CitedContext = createContext<readonly Reference[]>([]);

export function Cite({ works }: { works: string }) {
  const references = useContext(CitedContext);
  return (
    <sup className="text-[0.7em] leading-none whitespace-nowrap">
      {works.split(' ').map((key, i) => {
        const place = references.findIndex((reference) => reference.key === key);
        const reference = references[place];
        if (!reference) throw new Error(`The article cites ${key}, which is not among its references.`);
        return (
          <Fragment key={key}>
            {i > 0 && ', '}
            <a
              href={`#${referenceId(key)}`}
              className="text-accent rounded-sm px-0.5 font-medium hover:underline"
              aria-label={`Reference ${place + 1}: ${reference.authors} ${reference.year}`}
            >
              {place + 1}
            </a>
          </Fragment>
        );
      })}
    </sup>
  );
}

function referenceId(key: string): string {
  return `reference-${key}`;
}

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
