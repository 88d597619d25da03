import type { Caller } from '../../runtime/owners.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogueDataset, DamagedDatasets, DatasetMetadata, DatasetTerms } from '@cellfolio/contract';
import { listedFieldsOf, quotedHead, splitValues } from '@cellfolio/model';
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
import { termsOf } from './dataset-terms.ts';
import { previewed, countsOf, metadataCounts } from './listed-values.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** TTL of a listing: a dataset added by the command line appears after this time. */
const listingMilliseconds = 2000;
/** After this time the previous listing is returned while the store is still responding. */
const listingTimeoutMs = 1000;

/** Datasets whose columns are read concurrently: a catalogue in a bucket may hold hundreds. */
const surveyedAtOnce = 8;

/** Limits of one field, and of all fields of a dataset, in the list of datasets. */
const previewedNames = { names: 200, characters: 10_000 };
const previewedFields = 100;

interface Damage {
  id: string;
  reason: string;
  cause?: unknown;
  manifest?: DatasetManifest;
}

/** The public datasets in the store. A dataset that cannot be read is listed separately and hides no other. */
export class Catalogue {
  readonly #objects: ObjectStore;
  readonly #datasets: OpenDatasets;
  readonly #onDamage: (damage: Damage) => void;
  readonly #reported = new Set<string>();
  #listing: { at: number; whole: Promise<DatasetListing> } | undefined;
  #cached: DatasetListing | undefined;
  #asking: Promise<DatasetListing> | undefined;
  /** Previews by dataset version; rebuilt only when a dataset changes. */
  readonly #previews = new Map<string, Promise<CatalogueDataset>>();

  /** `onDamage` is called once for each damage. */
  constructor(
    objects: ObjectStore,
    datasets: OpenDatasets,
    onDamage: (damage: Damage) => void = () => undefined,
  ) {
    this.#objects = objects;
    this.#datasets = datasets;
    this.#onDamage = onDamage;
  }

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

  /**
   * A bucket may be slow or unavailable: the previous listing can still be read, as far as it is cached. A disk answers
   * or fails.
   */
  async #list(): Promise<DatasetListing> {
    const cached = this.#cached;
    this.#asking ??= listDatasets(this.#objects)
      .then((listing) => (this.#cached = listing))
      .finally(() => (this.#asking = undefined));
    if (!cached || 'listFolders' in this.#objects) return this.#asking;
    const latest = this.#asking.catch((error: unknown) => {
      if (error instanceof ObjectStoreFailed) return cached;
      throw error;
    });
    let isLate = false;
    const timeout = pause(listingTimeoutMs, cached, { ref: false }).finally(() => (isLate = true));
    // A late one takes the place of the previous one as soon as it is there.
    void latest.then(
      () => isLate && (this.#listing = { at: performance.now(), whole: latest }),
      () => undefined,
    );
    return Promise.race([latest, timeout]);
  }

  async find(id: string): Promise<DatasetManifest | undefined> {
    return (await this.manifests()).find((manifest) => manifest.id === id);
  }

  /** Throws ApiFailure 404 when no dataset has this file name, 422 when its manifest cannot be read. */
  async manifest(id: string): Promise<DatasetManifest> {
    const { datasets, damaged } = await this.#listed();
    const match = datasets.find((manifest) => manifest.id === id);
    if (match) return match;
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
      const { subdisease } = catalogue;
      for (const disease of splitValues(catalogue.disease)) {
        const subdiseases = diseases.get(disease) ?? new Map<string, CatalogueDataset[]>();
        diseases.set(disease, subdiseases);
        subdiseases.set(subdisease, [...(subdiseases.get(subdisease) ?? []), preview]);
      }
    }
    return Object.fromEntries([...diseases].map(([name, inner]) => [name, Object.fromEntries(inner)]));
  }

  /** The datasets that exist and cannot be read, ordered by file name. */
  async damaged(): Promise<readonly Damage[]> {
    return (await this.#surveyed()).damaged;
  }

  async #surveyed(): Promise<{
    sound: readonly (readonly [DatasetManifest, CatalogueDataset])[];
    damaged: readonly Damage[];
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
      if (!this.#reported.has(key)) this.#onDamage(damage);
      this.#reported.add(key);
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
    const [metadata, cellTypes, terms] = await Promise.all([
      metadataCounts(dataset, manifest.roles.metadata),
      countsOf(dataset, manifest.roles.cellType),
      termsOf(dataset),
    ]);
    const listed = listedTerms(terms);
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
          .map(([name, values]) => [name, previewed(eachValue(values.keys()), previewedNames)]),
      ),
      ...(cellTypes.size > 0 && { cell_types: previewed(eachValue(cellTypes.keys()), previewedNames) }),
      ...(listed.length > 0 && { ontology_terms: listed }),
      cell_count: manifest.cellCount,
      gene_count: manifest.geneCount,
      simulated: catalogue.simulated,
    };
  }
}

/** Values as a catalogue lists them: of cells that have several, such as diseases, each by itself. */
function eachValue(values: Iterable<string>): string[] {
  return [...new Set([...values].flatMap(splitValues))];
}

function listedTerms({ columns }: DatasetTerms): NonNullable<CatalogueDataset['ontology_terms']> {
  const seen = new Set<string>();
  return columns
    .flatMap(({ column, terms }) =>
      terms.flatMap(({ label, ids }) => ids.map(({ id }) => ({ id, label, column }))),
    )
    .filter(({ id, column }) => !seen.has(`${column} ${id}`) && seen.add(`${column} ${id}`));
}

function reasonOf(error: unknown): string {
  if (error instanceof DatasetDamaged) return `${error.path}: ${error.reason}`;
  if (error instanceof UnknownColumn) {
    return `manifest.json: it names ${quotedHead(error.column, 80)}, which ${error.group} does not have`;
  }
  return 'it could not be read';
}

/** Response of `GET /api/damaged-datasets`. */
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

/** Address of a dataset's default UMAP. It contains the version, so browsers can cache the image indefinitely. */
export function umapUrl(manifest: DatasetManifest): string {
  return `/api/datasets/${encodeURIComponent(manifest.id)}/umap.png?version=${manifest.version}`;
}

/** The same error for a dataset that does not exist and for one that belongs to another user. */
export function noSuchDataset(id: string): ApiFailure {
  return new ApiFailure(404, 'dataset_not_found', `There is no dataset ${JSON.stringify(id)}.`);
}

function damagedDataset(id: string, reason: string): ApiFailure {
  return new ApiFailure(422, 'dataset_damaged', damagedText(id, reason));
}

/** Error for something derived from an earlier version. `since` says what happened to it and what to do. */
export function datasetReplaced({ catalogue }: DatasetManifest, since: string): ApiFailure {
  const message = `The dataset ${catalogue.name} has been replaced since ${since}`;
  return new ApiFailure(409, 'dataset_changed', message);
}

/** The problem and its remedy. Another format version is no damage to verify, and its reason names the command. */
function damagedText(id: string, reason: string): string {
  const remedy = reason.includes(' --replace')
    ? ''
    : ` Operators: run cellfolio dataset verify ${id}, then import the file again.`;
  return `The dataset ${JSON.stringify(id)} is damaged and cannot be opened: ${reason}.${remedy}`;
}

interface UserDatasets {
  find(caller: Caller, id: string): Promise<DatasetManifest | undefined>;
  manifest(caller: Caller, id: string): Promise<DatasetManifest>;
}

export class ReadableDatasets {
  readonly #catalogue: Pick<Catalogue, 'find' | 'manifest'>;
  readonly #own: UserDatasets;

  constructor(deps: { catalogue: Pick<Catalogue, 'find' | 'manifest'>; own: UserDatasets }) {
    this.#catalogue = deps.catalogue;
    this.#own = deps.own;
  }

  /** Undefined when the caller has no such dataset. */
  async find(caller: Caller, id: string): Promise<DatasetManifest | undefined> {
    return isOwn(id) ? this.#own.find(caller, id) : this.#catalogue.find(id);
  }

  /**
   * `caller` is undefined for a visitor. Throws ApiFailure 404 when the caller has no such dataset; 409 when their own is
   * not ready.
   */
  async manifest(caller: Caller | undefined, id: string): Promise<DatasetManifest> {
    if (!isOwn(id)) return this.#catalogue.manifest(id);
    if (!caller) throw noSuchDataset(id);
    return this.#own.manifest(caller, id);
  }
}

export function isOwn(id: string): boolean {
  return id.startsWith('custom:');
}
