import { createContext, Fragment, useContext } from 'react';
import type { Reference } from '@/content/blog/reference.ts';

/** The works that the article on the page cites, in the order of their numbers. */
export const CitedContext = createContext<readonly Reference[]>([]);

/** The numbers of cited works, each leading to its entry: `<Cite works="mcinnes2018 becht2019" />`. */
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

export function referenceId(key: string): string {
  return `reference-${key}`;
}
