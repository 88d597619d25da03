import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogueDataset, DamagedDatasets, DatasetMetadata } from '@cellfolio/contract';
import { listedFieldsOf, quotedHead } from '@cellfolio/model';
import {
  DatasetDamaged,
  type DatasetListing,
  type DatasetManifest,
  DatasetNotFound,
  eachLimited,
  listDatasets,
  type ObjectStore,
  ObjectStoreFailed,
  UnknownColumn,
} from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { previewed, countsOf, metadataCounts } from './listed-values.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** How long a listing is believed: a dataset added by the command line shows after this time. */
const listingMilliseconds = 2000;
/** After that long what was there before is told, while the store is still being asked. */
const listingTimeoutMs = 1000;

/** Datasets whose columns are read at a time: a catalogue may hold hundreds, in a bucket. */
const surveyedAtOnce = 8;

/** Of one field, and of all of a dataset, in the list of datasets. */
const previewedNames = { names: 200, characters: 10_000 };
const previewedFields = 100;

/** A dataset that is there and cannot be read. */
interface Damage {
  readonly id: string;
  readonly reason: string;
  /** What failed, for the log. */
  readonly cause?: unknown;
  /** Where that much can be read. */
  readonly manifest?: DatasetManifest;
}

/** The public datasets, as the store holds them. One that cannot be read is told apart, and hides no other. */
export class Catalogue {
  readonly #objects: ObjectStore;
  readonly #datasets: OpenDatasets;
  readonly #onDamage: (damage: Damage) => void;
  /** Damage that was told before: once is enough. */
  readonly #told = new Set<string>();
  #listing: { at: number; whole: Promise<DatasetListing> } | undefined;
  /** What the store said last. */
  #known: DatasetListing | undefined;
  #asking: Promise<DatasetListing> | undefined;
  /** Previews by dataset version; rebuilt only when a dataset changes. */
  readonly #previews = new Map<string, Promise<CatalogueDataset>>();

  /** @param onDamage is told of each damage once */
  constructor(
    objects: ObjectStore,
    datasets: OpenDatasets,
    onDamage: (damage: Damage) => void = () => undefined,
  ) {
    this.#objects = objects;
    this.#datasets = datasets;
    this.#onDamage = onDamage;
  }

  /** The datasets whose manifests can be read. */
  async manifests(): Promise<readonly DatasetManifest[]> {
    return (await this.#listed()).datasets;
  }

  async #listed(): Promise<DatasetListing> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const whole = this.#list();
      this.#listing = { at: now, whole };
      whole.catch(() => (this.#listing = undefined));
    }
    return this.#listing.whole;
  }

  /** A bucket may be slow or away: what was there a moment ago can still be read, as far as it is in the cache. */
  async #list(): Promise<DatasetListing> {
    const known = this.#known;
    this.#asking ??= listDatasets(this.#objects)
      .then((listing) => (this.#known = listing))
      .finally(() => (this.#asking = undefined));
    if (!known) return this.#asking;
    const told = this.#asking.catch((error: unknown) => {
      if (error instanceof ObjectStoreFailed) return known;
      throw error;
    });
    return Promise.race([told, pause(listingTimeoutMs, known, { ref: false })]);
  }

  async find(id: string): Promise<DatasetManifest | undefined> {
    return (await this.manifests()).find((manifest) => manifest.id === id);
  }

  /** Throws ApiFailure 404 where no dataset has this file name, 422 where its manifest cannot be read. */
  async manifest(id: string): Promise<DatasetManifest> {
    const { datasets, damaged } = await this.#listed();
    const found = datasets.find((manifest) => manifest.id === id);
    if (found) return found;
    const damage = damaged.find((one) => one.id === id);
    throw damage ? damagedDataset(id, damage.reason) : noSuchDataset(id);
  }

  /** Disease, then sub-disease, then datasets, each level in alphabetical order. */
  async byDisease(): Promise<DatasetMetadata> {
    const sound = [...(await this.#surveyed()).sound].sort(
      ([a], [b]) =>
        a.catalogue.disease.localeCompare(b.catalogue.disease) ||
        a.catalogue.subdisease.localeCompare(b.catalogue.subdisease) ||
        a.id.localeCompare(b.id),
    );
    // Disease names come from strangers: a Map keeps one called `__proto__` an ordinary key.
    const diseases = new Map<string, Map<string, CatalogueDataset[]>>();
    for (const [{ catalogue }, preview] of sound) {
      const { disease, subdisease } = catalogue;
      const subdiseases = diseases.get(disease) ?? new Map<string, CatalogueDataset[]>();
      diseases.set(disease, subdiseases);
      subdiseases.set(subdisease, [...(subdiseases.get(subdisease) ?? []), preview]);
    }
    return Object.fromEntries([...diseases].map(([name, inner]) => [name, Object.fromEntries(inner)]));
  }

  /** The datasets that are there and cannot be read, in order of their file names. */
  async damaged(): Promise<readonly Damage[]> {
    return (await this.#surveyed()).damaged;
  }

  async #surveyed(): Promise<{
    readonly sound: readonly (readonly [DatasetManifest, CatalogueDataset])[];
    readonly damaged: readonly Damage[];
  }> {
    const listing = await this.#listed();
    const sound: (readonly [DatasetManifest, CatalogueDataset])[] = [];
    const damaged: Damage[] = [...listing.damaged];
    await eachLimited(listing.datasets.length, surveyedAtOnce, async (at) => {
      const manifest = listing.datasets[at]!;
      try {
        sound.push([manifest, await this.#preview(manifest)]);
      } catch (error) {
        // Removed or replaced since it was listed: the next listing knows.
        if (error instanceof DatasetNotFound) return;
        if (error instanceof ObjectStoreFailed) throw error;
        damaged.push({ id: manifest.id, reason: reasonOf(error), cause: error, manifest });
      }
    });
    damaged.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const damage of damaged) {
      const key = `${damage.id} ${damage.reason}`;
      if (!this.#told.has(key)) this.#onDamage(damage);
      this.#told.add(key);
    }
    return { sound, damaged };
  }

  #preview(manifest: DatasetManifest): Promise<CatalogueDataset> {
    const key = `${manifest.id}@${manifest.version}`;
    let preview = this.#previews.get(key);
    if (!preview) {
      preview = this.#describe(manifest);
      this.#previews.set(key, preview);
      preview.catch(() => this.#previews.delete(key));
    }
    return preview;
  }

  async #describe(manifest: DatasetManifest): Promise<CatalogueDataset> {
    const { catalogue } = manifest;
    const dataset = await this.#datasets.get(manifest);
    const [metadata, cellTypes] = await Promise.all([
      metadataCounts(dataset, manifest.roles.metadata),
      countsOf(dataset, manifest.roles.cellType),
    ]);
    return {
      dataset_filename: manifest.id,
      name: catalogue.name,
      description: catalogue.description,
      category1: catalogue.category1,
      category2: catalogue.category2,
      umap_url: umapUrl(manifest),
      ...listedFieldsOf(catalogue),
      patient_metadata: Object.fromEntries<string[]>(
        [...metadata]
          .slice(0, previewedFields)
          .map(([name, values]) => [name, previewed([...values.keys()], previewedNames)]),
      ),
      ...(cellTypes.size > 0 && { cell_types: previewed([...cellTypes.keys()], previewedNames) }),
      cell_count: manifest.cellCount,
      gene_count: manifest.geneCount,
      simulated: catalogue.simulated,
    };
  }
}

/** Why a dataset cannot be read, in words for its operator. */
function reasonOf(error: unknown): string {
  if (error instanceof DatasetDamaged) return `${error.path}: ${error.reason}`;
  if (error instanceof UnknownColumn) {
    return `manifest.json: it names ${quotedHead(error.column, 80)}, which ${error.group} does not have`;
  }
  return 'it could not be read';
}

/** As `GET /api/damaged-datasets` answers it. */
export function damagedAnswer(damaged: readonly Damage[]): DamagedDatasets {
  return {
    datasets: damaged.map(({ id, reason, manifest }) => ({
      dataset_filename: id,
      ...(manifest && {
        name: manifest.catalogue.name,
        disease: manifest.catalogue.disease,
        subdisease: manifest.catalogue.subdisease,
      }),
      message: damagedText(id, reason),
    })),
  };
}

/** Address of a dataset's default UMAP. The version in it lets browsers keep the picture for good. */
export function umapUrl(manifest: DatasetManifest): string {
  return `/api/datasets/${encodeURIComponent(manifest.id)}/umap.png?version=${manifest.version}`;
}

/** The one refusal for a dataset that is not there and for one that is not the caller's. */
export function noSuchDataset(id: string): ApiFailure {
  return new ApiFailure(404, 'dataset_not_found', `There is no dataset ${JSON.stringify(id)}.`);
}

/** The refusal for a dataset that is there and cannot be read. */
function damagedDataset(id: string, reason: string): ApiFailure {
  return new ApiFailure(422, 'dataset_damaged', damagedText(id, reason));
}

/** The refusal of what was made of an earlier version. `since` says what happened with that, and what to do. */
export function datasetReplaced({ catalogue }: DatasetManifest, since: string): ApiFailure {
  const message = `The dataset ${catalogue.name} has been replaced since ${since}`;
  return new ApiFailure(409, 'dataset_changed', message);
}

/** What is wrong and what to do. Another format version is no damage to be verified, and its reason names the command. */
function damagedText(id: string, reason: string): string {
  const remedy = reason.includes(' --replace')
    ? ''
    : ` Operators: run cellfolio dataset verify ${id}, then import the file again.`;
  return `The dataset ${JSON.stringify(id)} is damaged and cannot be opened: ${reason}.${remedy}`;
}

/** Datasets made of users' files. */
interface OwnDatasets {
  find(userId: string, id: string): Promise<DatasetManifest | undefined>;
  manifest(userId: string, id: string): Promise<DatasetManifest>;
}

/** The datasets that a user may read: those of the catalogue, and those of their own files. */
export class ReadableDatasets {
  readonly #catalogue: Pick<Catalogue, 'find' | 'manifest'>;
  readonly #own: OwnDatasets;

  constructor(deps: { catalogue: Pick<Catalogue, 'find' | 'manifest'>; own: OwnDatasets }) {
    this.#catalogue = deps.catalogue;
    this.#own = deps.own;
  }

  /** Undefined where there is none for this user. */
  async find(userId: string, id: string): Promise<DatasetManifest | undefined> {
    return isOwn(id) ? this.#own.find(userId, id) : this.#catalogue.find(id);
  }

  /** Throws ApiFailure 404 where there is none for this user; 409 where their own is not ready. */
  async manifest(userId: string, id: string): Promise<DatasetManifest> {
    return isOwn(id) ? this.#own.manifest(userId, id) : this.#catalogue.manifest(id);
  }
}

/** Whether an id is of the kind that users' own datasets have. */
export function isOwn(id: string): boolean {
  return id.startsWith('custom:');
}
