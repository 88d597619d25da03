import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { OntologyName } from '@cellfolio/contract';

export interface OntologyTerm {
  readonly id: string;
  readonly label: string;
  /** Exact synonyms. */
  readonly synonyms: readonly string[];
  readonly parents: readonly string[];
  /** Label and synonyms, folded: a search of 30,000 terms folds none. */
  readonly names: readonly string[];
}

export interface Ontology {
  readonly release: string;
  readonly terms: ReadonlyMap<string, OntologyTerm>;
  /** Successors of deprecated terms. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** Ontologies that come with the source, unpacked at the first use; `NOTICE` names their sources and licences. */
class TermTable {
  #blocks: ReadonlyMap<string, string> | undefined;
  readonly #ontologies = new Map<string, Ontology>();

  ontology(name: OntologyName): Ontology {
    let ontology = this.#ontologies.get(name);
    if (ontology === undefined) {
      this.#blocks ??= readBlocks();
      ontology = parsed(name, this.#blocks.get(name)!);
      this.#ontologies.set(name, ontology);
    }
    return ontology;
  }

  /** Term of an id, or its successor; undefined for an id of another ontology or one that is not known. */
  term(id: string): OntologyTerm | undefined {
    const name = id.slice(0, Math.max(0, id.indexOf(':')));
    this.#blocks ??= readBlocks();
    if (!this.#blocks.has(name)) return undefined;
    const { terms, replaced } = this.ontology(name as OntologyName);
    return terms.get(id) ?? terms.get(replaced.get(id) ?? '');
  }
}

export const termTable = new TermTable();

/** Lower case with hyphens, commas and underscores as blanks: `T-cell` and `T cell` are one. */
export function folded(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_,-]+/g, ' ')
    .trim();
}

function readBlocks(): Map<string, string> {
  const packed = readFileSync(new URL('built-in/ontology.terms', import.meta.url));
  const blocks = brotliDecompressSync(packed).toString().split('\n\n');
  return new Map(blocks.map((block) => [block.slice(0, block.indexOf('\t')), block]));
}

/** Lines of a block: name and release; id, label, synonyms by `|`, parents by blanks; or id, nothing, successor. */
function parsed(name: string, block: string): Ontology {
  const [head, ...lines] = block.split('\n');
  const terms = new Map<string, OntologyTerm>();
  const replaced = new Map<string, string>();
  for (const line of lines) {
    const [own, label, synonyms, parents] = line.split('\t');
    const id = `${name}:${own}`;
    if (label === '') replaced.set(id, `${name}:${synonyms}`);
    else {
      const others = synonyms ? synonyms.split('|') : [];
      terms.set(id, {
        id,
        label: label!,
        synonyms: others,
        parents: parents ? parents.split(' ').map((parent) => `${name}:${parent}`) : [],
        names: [label!, ...others].map(folded),
      });
    }
  }
  return { release: head!.split('\t')[1]!, terms, replaced };
}
