import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { type DatasetManifest, listDatasets, type ObjectStore, ObjectStoreFailed } from '@cellfolio/store';
import type { OpenDatasets } from '../compute/open-datasets.ts';
import { noSuchDataset } from './no-such-dataset.ts';
import { categoriesOf, countsOf } from './obs-summary.ts';

/** How long a listing is believed: a dataset added by the command line shows after this time. */
const listingMilliseconds = 2000;
/** After that long what was there before is told, while the store is still being asked. */
const patienceMilliseconds = 1000;

/** The public datasets, as the store holds them. */
export class Catalogue {
  readonly #objects: ObjectStore;
  readonly #datasets: OpenDatasets;
  #listing: { at: number; manifests: Promise<readonly DatasetManifest[]> } | undefined;
  /** What the store said last. */
  #known: readonly DatasetManifest[] | undefined;
  #asking: Promise<readonly DatasetManifest[]> | undefined;
  /** Previews by dataset version; rebuilt only when a dataset changes. */
  readonly #previews = new Map<string, Promise<CatalogueDataset>>();

  constructor(objects: ObjectStore, datasets: OpenDatasets) {
    this.#objects = objects;
    this.#datasets = datasets;
  }

  async manifests(): Promise<readonly DatasetManifest[]> {
    const now = performance.now();
    if (!this.#listing || now - this.#listing.at > listingMilliseconds) {
      const manifests = this.#list();
      this.#listing = { at: now, manifests };
      manifests.catch(() => (this.#listing = undefined));
    }
    return this.#listing.manifests;
  }

  /** A bucket may be slow or away: what was there a moment ago can still be read, as far as it is in the cache. */
  async #list(): Promise<readonly DatasetManifest[]> {
    const known = this.#known;
    this.#asking ??= listDatasets(this.#objects)
      .then(({ datasets }) => (this.#known = datasets))
      .finally(() => (this.#asking = undefined));
    if (!known) return this.#asking;
    const told = this.#asking.catch((error: unknown) => {
      if (error instanceof ObjectStoreFailed) return known;
      throw error;
    });
    return Promise.race([told, pause(patienceMilliseconds, known, { ref: false })]);
  }

  async find(id: string): Promise<DatasetManifest | undefined> {
    return (await this.manifests()).find((manifest) => manifest.id === id);
  }

  /** Throws ApiFailure 404 where no dataset has this file name. */
  async manifest(id: string): Promise<DatasetManifest> {
    const found = await this.find(id);
    if (!found) throw noSuchDataset(id);
    return found;
  }

  /** Disease, then sub-disease, then datasets, each level in alphabetical order. */
  async byDisease(): Promise<DatasetMetadata> {
    const manifests = [...(await this.manifests())].sort(
      (a, b) =>
        a.catalogue.disease.localeCompare(b.catalogue.disease) ||
        a.catalogue.subdisease.localeCompare(b.catalogue.subdisease) ||
        a.id.localeCompare(b.id),
    );
    const previews = await Promise.all(manifests.map((manifest) => this.#preview(manifest)));
    // Disease names come from strangers: a Map keeps one called `__proto__` an ordinary key.
    const diseases = new Map<string, Map<string, CatalogueDataset[]>>();
    for (const [i, manifest] of manifests.entries()) {
      const { disease, subdisease } = manifest.catalogue;
      const subdiseases = diseases.get(disease) ?? new Map<string, CatalogueDataset[]>();
      diseases.set(disease, subdiseases);
      subdiseases.set(subdisease, [...(subdiseases.get(subdisease) ?? []), previews[i] as CatalogueDataset]);
    }
    return Object.fromEntries([...diseases].map(([name, inner]) => [name, Object.fromEntries(inner)]));
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
      categoriesOf(dataset, manifest.roles.metadata),
      countsOf(dataset, manifest.roles.cellType),
    ]);
    return {
      dataset_filename: manifest.id,
      name: catalogue.name,
      description: catalogue.description,
      category1: catalogue.category1,
      category2: catalogue.category2,
      umap_url: umapUrl(manifest),
      ...(catalogue.gseAccessionNumber !== undefined && {
        gse_accession_number: catalogue.gseAccessionNumber,
      }),
      ...(catalogue.patientCount !== undefined && { patient_count: catalogue.patientCount }),
      ...(catalogue.stage !== undefined && { stage: catalogue.stage }),
      ...(catalogue.treatment !== undefined && { treatment: catalogue.treatment }),
      ...(catalogue.lymphNodeStatus !== undefined && { lymph_node_status: catalogue.lymphNodeStatus }),
      ...(catalogue.diseaseType !== undefined && { disease_type: catalogue.diseaseType }),
      patient_metadata: metadata,
      ...(cellTypes.size > 0 && { cell_types: [...cellTypes.keys()] }),
      cell_count: manifest.cellCount,
      gene_count: manifest.geneCount,
      simulated: catalogue.simulated,
    };
  }
}

/** Address of a dataset's default UMAP. The version in it lets browsers keep the picture for good. */
export function umapUrl(manifest: DatasetManifest): string {
  return `/api/datasets/${encodeURIComponent(manifest.id)}/umap.png?version=${manifest.version}`;
}
