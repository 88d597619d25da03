import { folded, type Ontology, type OntologyTerm } from './term-table.ts';

export interface TermMatch {
  readonly term: OntologyTerm;
  /** The synonym that matches, where the label does not. */
  readonly synonym?: string;
}

/** How names match, the best first; those of synonyms are one worse than those of labels. */
const ranks = { equal: 0, prefix: 2, words: 4 } as const;

/**
 * Terms whose label or synonym has all words of a query, each as the beginning of a word: equal labels and synonyms first,
 * then names that begin with the query, then the others; shorter labels before longer ones. An id finds its term, or the
 * successor of a deprecated one.
 */
export function searchTerms({ terms, replaced }: Ontology, query: string, limit: number): TermMatch[] {
  const text = folded(query);
  if (text === '') return [];
  if (text.includes(':')) {
    const id = [...terms.keys(), ...replaced.keys()].find((one) => one.toLowerCase() === text);
    const own = id === undefined ? undefined : (terms.get(id) ?? terms.get(replaced.get(id) ?? ''));
    if (own) return [{ term: own }];
  }
  const words = text.split(' ');
  const matches: (TermMatch & { rank: number })[] = [];
  for (const term of terms.values()) {
    const [label, ...others] = term.names;
    let rank = rankOf(label!, text, words);
    let synonym: string | undefined;
    others.forEach((name, at) => {
      const other = rankOf(name, text, words) + 1;
      if (other < rank) [rank, synonym] = [other, term.synonyms[at]];
    });
    if (rank < Infinity) matches.push({ term, rank, ...(synonym !== undefined && { synonym }) });
  }
  return matches
    .sort(
      (a, b) =>
        a.rank - b.rank || a.term.label.length - b.term.label.length || (a.term.id < b.term.id ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ term, synonym }) => (synonym === undefined ? { term } : { term, synonym }));
}

/** Term with this label or synonym, in the plural too; undefined without one, or where several share the synonym. */
export function termCalled(ontology: Ontology, name: string): OntologyTerm | undefined {
  const text = folded(name);
  if (text === '') return undefined;
  for (const one of new Set([text, text.replace(/s$/, '')])) {
    const equal = termsByName(ontology).get(one) ?? [];
    const labelled = equal.find(({ names: [label] }) => label === one);
    if (labelled || equal.length === 1) return labelled ?? equal[0];
  }
  return undefined;
}

const byName = new WeakMap<Ontology, ReadonlyMap<string, readonly OntologyTerm[]>>();

/** Terms of each folded name, made at the first look: hundreds of names are looked up in one call. */
function termsByName(ontology: Ontology): ReadonlyMap<string, readonly OntologyTerm[]> {
  const made = byName.get(ontology);
  if (made) return made;
  const named = new Map<string, OntologyTerm[]>();
  for (const term of ontology.terms.values()) {
    for (const name of new Set(term.names)) {
      const others = named.get(name);
      if (others) others.push(term);
      else named.set(name, [term]);
    }
  }
  byName.set(ontology, named);
  return named;
}

function rankOf(own: string, text: string, words: readonly string[]): number {
  if (own === text) return ranks.equal;
  if (own.startsWith(text)) return ranks.prefix;
  const has = (word: string) => own.startsWith(word) || own.includes(` ${word}`);
  return words.every(has) ? ranks.words : Infinity;
}
