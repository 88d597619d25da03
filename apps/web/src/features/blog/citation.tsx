import { createContext, Fragment, useContext } from 'react';
import type { ReferenceKey } from './bibliography.ts';
import { bibliography } from './bibliography.ts';

/** The works that the article on the page cites, in the order of their numbers. */
export const CitedContext = createContext<readonly ReferenceKey[]>([]);

/** The numbers of cited works, each leading to its entry: `<Cite works="mcinnes2018 becht2019" />`. */
export function Cite({ works }: { works: string }) {
  const cited: readonly string[] = useContext(CitedContext);
  const keys = works.split(' ').filter((key): key is ReferenceKey => key in bibliography);
  return (
    <sup className="text-[0.7em] leading-none whitespace-nowrap">
      {keys.map((key, i) => (
        <Fragment key={key}>
          {i > 0 && ', '}
          <a
            href={`#${referenceId(key)}`}
            className="text-accent rounded-sm px-0.5 font-medium hover:underline"
            aria-label={`Reference ${cited.indexOf(key) + 1}: ${bibliography[key].authors} ${bibliography[key].year}`}
          >
            {cited.indexOf(key) + 1}
          </a>
        </Fragment>
      ))}
    </sup>
  );
}

export function referenceId(key: ReferenceKey): string {
  return `reference-${key}`;
}
