import type { Asked, CallKind } from '../server/load-plan.ts';

/** Calls that cost about the same, by what the server has to do for them. */
export type CallClass =
  | 'plot drawn'
  | 'plot kept'
  | 'filter built'
  | 'filter kept'
  | 'filter all'
  | 'markers tested'
  | 'markers kept'
  | 'search';

export const callClasses: readonly CallClass[] = [
  'plot drawn',
  'plot kept',
  'filter built',
  'filter kept',
  'filter all',
  'markers tested',
  'markers kept',
  'search',
];

export function kindOf(of: CallClass): CallKind {
  if (of.startsWith('plot')) return 'gene plot';
  if (of.startsWith('filter')) return 'filter';
  return of === 'search' ? 'search' : 'markers';
}

/** What a server has kept of earlier calls, so that the class of the next one can be told beforehand. */
export class KeptResults {
  readonly #figures: number;
  /** In order of last use. */
  readonly #drawn = new Set<string>();
  readonly #masks = new Set<string>();
  readonly #tested = new Set<string>();
  /** Gene of the cells that each user has chosen. */
  readonly #chosen = new Map<number, string>();

  /** @param figures how many the server keeps */
  constructor(figures: number) {
    this.#figures = figures;
  }

  /** The class of a call that is made now; what it brings is kept from now on. */
  classOf(asked: Asked, user: number, dataset: string): CallClass {
    const cells = `${dataset}|${this.#chosen.get(user) ?? ''}`;
    switch (asked.kind) {
      case 'gene plot':
        return this.#draw(`${cells}|${asked.gene}`) ? 'plot kept' : 'plot drawn';
      case 'filter': {
        if (asked.gene === undefined) {
          this.#chosen.delete(user);
          return 'filter all';
        }
        this.#chosen.set(user, asked.gene);
        return add(this.#masks, `${dataset}|${asked.gene}`) ? 'filter kept' : 'filter built';
      }
      case 'markers':
        return add(this.#tested, cells) ? 'markers kept' : 'markers tested';
      case 'search':
        this.#chosen.delete(user);
        return 'search';
    }
  }

  /** Whether the figure was there. */
  #draw(figure: string): boolean {
    const known = this.#drawn.delete(figure);
    this.#drawn.add(figure);
    for (const oldest of this.#drawn) {
      if (this.#drawn.size <= this.#figures) break;
      this.#drawn.delete(oldest);
    }
    return known;
  }
}

/** Whether it was there; it is from now on. */
function add(set: Set<string>, value: string): boolean {
  if (set.has(value)) return true;
  set.add(value);
  return false;
}
