import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type CuratedOrganism, curatedOrganisms } from '@cellfolio/contract';
import { unpackStrings } from '@cellfolio/model';
import type { GeneIndex } from '@cellfolio/store';
import { nomenclatureOf } from '../../runtime/gene-names/nomenclature.ts';

/** Genes of an organism that the schema accepts; `NOTICE` names the source. */
export interface GeneList {
  /** Such as `GENCODE 48`. */
  readonly release: string;
  has(id: string): boolean;
  /** Ids of the genes with this name. */
  idsOf(name: string): readonly string[];
}

const lists = new Map<CuratedOrganism, GeneList>();

/** The list of an organism, unpacked at the first use. */
export function geneListOf(organism: CuratedOrganism): GeneList {
  if (lists.size === 0) {
    const packed = readFileSync(new URL('built-in/genes.ids', import.meta.url));
    for (const block of brotliDecompressSync(packed).toString().split('\n\n')) {
      const [of, list] = parsed(block);
      lists.set(of, list);
    }
  }
  return lists.get(organism)!;
}

/** First line: organism, release, prefix of the ids. Then a gene a line: step from the number before it, and name. */
function parsed(block: string): [CuratedOrganism, GeneList] {
  const [head, ...lines] = block.split('\n');
  const [organism, release, prefix] = head!.split('\t') as [CuratedOrganism, string, string];
  const ids = new Set<string>();
  const named = new Map<string, string[]>();
  let number = 0;
  for (const line of lines) {
    const [step, name] = line.split('\t');
    number += Number(step);
    const id = `${prefix}${String(number).padStart(11, '0')}`;
    ids.add(id);
    if (name === undefined) continue;
    const others = named.get(name);
    if (others) others.push(id);
    else named.set(name, [id]);
  }
  return [organism, { release, has: (id) => ids.has(id), idsOf: (name) => named.get(name) ?? [] }];
}

export interface CuratedGenes {
  /** Rows of the dataset's genes that the file has, in their order. */
  readonly rows: Int32Array;
  /** Ensembl id of each of them. */
  readonly ids: readonly string[];
  /** Symbols of genes without an id of the list. */
  readonly unknown: readonly string[];
  /** Symbols of genes whose id another gene before them has. */
  readonly repeated: readonly string[];
}

const curated = new WeakMap<GeneIndex, Map<CuratedOrganism, CuratedGenes>>();

/**
 * Ensembl ids of a dataset's genes: its own ids without their versions, else those of the one gene with the symbol, or
 * with the symbol that replaced it. Looked up once for an open dataset, which is checked at each choice.
 */
export function curatedGenes(genes: GeneIndex, organism: CuratedOrganism): CuratedGenes {
  const byOrganism = curated.get(genes) ?? new Map<CuratedOrganism, CuratedGenes>();
  curated.set(genes, byOrganism);
  const made = byOrganism.get(organism) ?? lookedUp(genes, organism);
  byOrganism.set(organism, made);
  return made;
}

function lookedUp({ symbols, ids }: GeneIndex, organism: CuratedOrganism): CuratedGenes {
  const list = geneListOf(organism);
  const names = nomenclatureOf(curatedOrganisms.get(organism));
  const columns = ids.map(unpackStrings);
  const own = (row: number) => {
    for (const column of columns) {
      const id = column[row]!.replace(/\.\d+$/, '');
      if (list.has(id)) return id;
    }
    return undefined;
  };
  const onlyOne = (all: readonly string[]) => (all.length === 1 ? all[0] : undefined);
  const ofSymbol = (symbol: string) => {
    const direct = onlyOne(list.idsOf(symbol));
    if (direct !== undefined || names === undefined) return direct;
    const [gene, ...others] = names.genesCalled(symbol);
    return gene === undefined || others.length > 0 ? undefined : onlyOne(list.idsOf(names.namesOf(gene)[0]));
  };
  const ofRow = symbols.map((_, row) => own(row));
  // A gene's own id goes before a symbol that only leads to it.
  const owned = new Set(ofRow);
  const used = new Set<string>();
  const rows: number[] = [];
  const unknown: string[] = [];
  const repeated: string[] = [];
  symbols.forEach((symbol, row) => {
    const byName = ofRow[row] === undefined;
    const id = ofRow[row] ?? (list.has(symbol) ? symbol : ofSymbol(symbol));
    if (id === undefined) unknown.push(symbol);
    else if (used.has(id) || (byName && owned.has(id))) repeated.push(symbol);
    else {
      used.add(id);
      rows.push(row);
    }
  });
  return { rows: Int32Array.from(rows), ids: [...used], unknown, repeated };
}
