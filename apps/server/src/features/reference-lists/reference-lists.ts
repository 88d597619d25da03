import type { ListHead } from '@cellfolio/analyses';
import type { DatasetList, ListEntries } from '@cellfolio/analyses/serve';
import type { Dataset, ObjectStore } from '@cellfolio/store';
import { mapGenes, type OrthologueTables } from '../gene-sets/index.ts';
import { chosenList, refuseReplaced } from './chosen-list.ts';
import { MarkerSets } from './marker-lists.ts';
import { PairSets } from './pair-lists.ts';
import { type ChosenList, headOf, type StoredLists } from './stored-lists.ts';
import { mappingCautions, mapSymbols } from './symbol-mapping.ts';

type Stored = { readonly [Of in keyof ListEntries]: StoredLists<ListEntries[Of]> };

/** The lists that analyses depend on, of all kinds. */
export class ReferenceLists {
  readonly #stored: Stored;
  readonly #orthologues: Pick<OrthologueTables, 'of' | 'version'>;

  constructor(objects: ObjectStore, orthologues: Pick<OrthologueTables, 'of' | 'version'>) {
    this.#stored = { pairs: new PairSets(objects), markers: new MarkerSets(objects) };
    this.#orthologues = orthologues;
  }

  /**
   * All usable lists, with the part of each that a dataset has: by name where no table maps its species, which a run
   * refuses.
   */
  async described<Of extends keyof ListEntries, Answer extends object, Coverage>(
    of: Of,
    dataset: Dataset | undefined,
    answerOf: (list: ListHead) => Answer,
    coverageOf: (
      entries: readonly ListEntries[Of][],
      find: (symbol: string) => number | undefined,
    ) => Coverage,
  ): Promise<(Answer & { in_dataset: Coverage | undefined })[]> {
    const { lists } = await (this.#stored[of] as StoredLists<ListEntries[Of]>).all();
    const coverage = async ({ species, entries }: (typeof lists)[number]) => {
      if (dataset === undefined) return undefined;
      const { find } = await mapGenes(dataset, species, this.#orthologues);
      return coverageOf(entries, find);
    };
    return Promise.all(
      lists.map(async (list) => Object.assign(answerOf(list), { in_dataset: await coverage(list) })),
    );
  }

  /** The list that a call names, with its names looked up in a dataset. Throws ApiFailure 400, 409 or 422. */
  async inDataset<Of extends keyof ListEntries>(
    of: Of,
    chosen: ChosenList,
    dataset: Pick<Dataset, 'genes'>,
  ): Promise<DatasetList<ListEntries[Of]>> {
    const list = await chosenList(this.#stored[of] as StoredLists<ListEntries[Of]>, chosen);
    const { find, ...mapped } = await mapSymbols(list, dataset, {
      orthologues: this.#orthologues,
      entries: of,
    });
    return {
      head: headOf(list),
      entries: list.entries,
      find,
      cautions: (limit) => mappingCautions(mapped, of, limit),
    };
  }

  /** The version of the list that a call names; empty where there is none that can be read, which a run refuses. */
  version(of: keyof ListEntries, chosen: ChosenList): Promise<string> {
    return this.#stored[of].version(chosen);
  }

  /** For a figure of an earlier version: throws ApiFailure 409 when the list has been replaced. */
  refuseReplaced(
    of: keyof ListEntries,
    list: { readonly name: string; readonly version: string },
    version: string | undefined,
  ): void {
    if (list.version !== '') refuseReplaced(this.#stored[of], list, version);
  }

  /** Changes when genes are mapped between species by other tables. */
  mappingVersion(): Promise<string> {
    return this.#orthologues.version();
  }
}
