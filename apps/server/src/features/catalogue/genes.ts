import { listedNames } from '@cellfolio/model';
import { type GeneIndex, type DatasetManifest, ObjectStoreFailed } from '@cellfolio/store';
import type { GeneDatasets } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { otherNamesOf } from '../../runtime/gene-names/nomenclature.ts';
import { type OtherName, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Catalogue } from './catalogue.ts';
import { VersionCache } from './version-cache.ts';

/** Requested genes by their row in var; a gene named twice, or by symbol and id, counts once. */
interface GeneLookup {
  matches: readonly { symbol: string; row: number }[];
  /** Names as requested. */
  missing: readonly string[];
  /** Genes found by another name. */
  renamed: readonly OtherName[];
}

export function lookUpGenes(index: GeneIndex, names: readonly string[]): GeneLookup {
  const symbolByRow = new Map<number, string>();
  const missing = new Set<string>();
  for (const name of names) {
    const row = index.find(name);
    if (row === undefined) missing.add(name);
    else symbolByRow.set(row, index.symbols[row] ?? name);
  }
  return {
    matches: [...symbolByRow].map(([row, symbol]) => ({ row, symbol })),
    missing: [...missing],
    renamed: otherNamesAmong(index, names),
  };
}

export function noGenesFound(what: string, missing: readonly string[]): ApiFailure {
  return new ApiFailure(
    422,
    'no_genes_found',
    `The dataset has none of the genes of ${what}: ${listedNames(missing)}. Check their spelling, or choose a dataset of the same species.`,
    { details: { not_found_genes: missing } },
  );
}

/** The genes of one dataset: their numbers in ascending order, and the number of cells that express each. */
interface ExpressedGenes {
  numbers: Int32Array;
  cells: Uint32Array;
}

/**
 * Finds the catalogue datasets that have a gene. Each dataset version is opened for this once, one at a time, at the
 * first request; kept are eight bytes per gene, and each symbol once for all datasets. No expression is read: the
 * number of cells that express a gene is in the index of the matrix, which stores no zeros.
 */
export class GeneDirectory {
  readonly #catalogue: Catalogue;
  readonly #datasets: OpenDatasets;
  /** Keyed by upper-case symbol, as species and conventions differ in case. */
  readonly #numberOf = new Map<string, number>();
  readonly #genes = new VersionCache((manifest) => this.#read(manifest));

  constructor(catalogue: Catalogue, datasets: OpenDatasets) {
    this.#catalogue = catalogue;
    this.#datasets = datasets;
  }

  /** The genes that some dataset has, as they were asked for, by symbol in whatever case or by another name of the gene. */
  async find(genes: readonly string[]): Promise<GeneDatasets['genes']> {
    const manifests = await this.#catalogue.manifests();
    this.#genes.keepOnly(manifests);
    const datasetGenes = await Promise.all(manifests.map((manifest) => this.#readableGenesOf(manifest)));
    return genes.flatMap((gene) => {
      const names = [gene, ...otherNamesOf(gene)].flatMap((name) => {
        const number = this.#numberOf.get(name.toUpperCase());
        return number === undefined ? [] : [{ name, number }];
      });
      const datasets = manifests.flatMap(({ id, cellCount }, i) => {
        for (const { name, number } of names) {
          const expressing = cellsOf(datasetGenes[i], number);
          if (expressing === undefined) continue;
          const other = name === gene ? undefined : { symbol: name };
          return [{ dataset_filename: id, ...other, expressing_cells: expressing, cell_count: cellCount }];
        }
        return [];
      });
      return datasets.length === 0 ? [] : [{ gene, datasets }];
    });
  }

  /** Undefined for a dataset that cannot be read: the catalogue lists it as damaged. */
  async #readableGenesOf(manifest: DatasetManifest): Promise<ExpressedGenes | undefined> {
    try {
      return await this.#genes.of(manifest);
    } catch (error) {
      if (error instanceof ObjectStoreFailed) throw error;
      return undefined;
    }
  }

  async #read(manifest: DatasetManifest): Promise<ExpressedGenes> {
    const { genes, valueStarts } = await this.#datasets.get(manifest);
    const rows = new Map<number, number>();
    for (const [row, symbol] of genes.symbols.entries()) {
      const name = symbol.toUpperCase();
      let number = this.#numberOf.get(name);
      if (number === undefined) this.#numberOf.set(name, (number = this.#numberOf.size));
      if (!rows.has(number)) rows.set(number, row);
    }
    const numbers = Int32Array.from(rows.keys()).sort();
    const cells = Uint32Array.from(numbers, (number) => {
      const row = rows.get(number) ?? 0;
      return (valueStarts[row + 1] ?? 0) - (valueStarts[row] ?? 0);
    });
    return { numbers, cells };
  }
}

function cellsOf(genes: ExpressedGenes | undefined, number: number): number | undefined {
  const place = genes && placeOf(genes.numbers, number);
  return place === undefined ? undefined : genes?.cells[place];
}

export function placeOf(rising: Int32Array, target: number): number | undefined {
  let low = 0;
  let high = rising.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const number = rising[middle]!;
    if (number === target) return middle;
    if (number < target) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
