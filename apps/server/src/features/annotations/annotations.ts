import {
  type Annotation,
  columnTitle,
  type MatchedAnnotation,
  type NewAnnotation,
} from '@cellfolio/contract';
import { type CategoricalColumn, countText } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { categoryColours, freeColour } from '@cellfolio/plots';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import {
  categoricalColumn,
  NotCategorical,
  type OpenDatasets,
  requireColumn,
} from '../../runtime/compute/open-datasets.ts';
import type { AnnotationColumns } from './annotation-columns.ts';
import { type ChangedLabels, codesFor, groupCounts, type Labels, quoted } from './labels.ts';
import type { Matching } from './match-barcodes.ts';
import { unpackedCodes } from './packed-codes.ts';
import { refuseOther, StoredAnnotations } from './stored-annotations.ts';
import type { BarcodesTask, CarryLabelsTask, ReadLabelsTask } from './tasks.ts';

/** Labels of cells that users make: what they begin with, what a change makes of them, and on to another version. */
export class Annotations {
  readonly stored: StoredAnnotations;
  readonly #datasets: OpenDatasets;
  readonly #compute: Compute;
  readonly #columns: AnnotationColumns;

  constructor(deps: {
    database: Database;
    datasets: OpenDatasets;
    compute: Compute;
    columns: AnnotationColumns;
  }) {
    this.stored = new StoredAnnotations(deps.database, deps.columns);
    this.#datasets = deps.datasets;
    this.#compute = deps.compute;
    this.#columns = deps.columns;
  }

  /**
   * A new one from a column of obs, from another annotation, or without a label. Throws ApiFailure 404 for an unknown
   * column, 409 for a name that is taken, 422 for too many groups; NotCategorical.
   */
  async create(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    { name, from }: NewAnnotation,
    waiting: Waiting,
  ): Promise<Annotation> {
    const labels = from === undefined ? emptyLabels(manifest) : await this.#labelsOf(userId, manifest, from);
    const words = from === undefined ? 'Begun without labels' : `Copied from ${quoted(columnTitle(from))}`;
    const { counts } = groupCounts(labels);
    const cells = counts.reduce((sum, count) => sum + count, 0);
    return this.#insert({ userId, manifest, name }, { labels, words, cells }, waiting);
  }

  async #labelsOf(userId: string, manifest: DatasetManifest, from: string): Promise<Labels> {
    const column = await this.columnOf(userId, manifest, from);
    const codes = codesFor(column.categories.length, column.codes.length);
    codes.set(column.codes);
    const colours = categoryColours(column, from === manifest.roles.cellType ? 'cell-type' : 'cluster');
    return { groups: column.categories.map((name, code) => ({ name, colour: colours[code]! })), codes };
  }

  /**
   * A column of obs or an annotation as groups of cells. Throws ApiFailure 404 for an unknown one, 400 for one that has no
   * groups.
   */
  async columnOf(userId: string, manifest: DatasetManifest, name: string): Promise<CategoricalColumn> {
    const own = await this.#columns.named(userId, manifest, name);
    const dataset = await this.#datasets.get({ id: manifest.id, version: manifest.version, own });
    requireColumn(dataset, name);
    return categoricalColumn(dataset, name).catch((error: unknown) => {
      if (!(error instanceof NotCategorical)) throw error;
      throw new ApiFailure(400, 'not_categorical', error.message, { cause: error });
    });
  }

  /** Those of the cell types of the dataset, which a group of another name does not have by accident. */
  async coloursOfTypes(manifest: DatasetManifest): Promise<ReadonlySet<string>> {
    const { cellType } = manifest.roles;
    if (cellType === undefined) return new Set();
    const column = await categoricalColumn(await this.#datasets.get(manifest), cellType);
    return new Set(categoryColours(column, 'cell-type'));
  }

  /**
   * A new one from a table of barcodes and labels. Throws ApiFailure 422 for a table that names no cell of the dataset,
   * 409 for a name that is taken.
   */
  async read(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    { name, column, table }: { name: string; column: string | undefined; table: Uint8Array },
    waiting: Waiting,
  ): Promise<MatchedAnnotation> {
    const dataset = { id: manifest.id, version: manifest.version };
    const task = {
      kind: 'read-labels',
      isLong: true,
      dataset,
      table,
      ...(column !== undefined && { column }),
    } as const;
    const found = await this.#compute.run<ReadLabelsTask>(task, waiting);
    if ('problem' in found) throw new ApiFailure(422, 'labels_not_read', found.problem);
    const taken = new Set<string>();
    const avoided = await this.coloursOfTypes(manifest);
    const groups = found.groups.map((group) => {
      const colour = freeColour(group, taken, avoided);
      taken.add(colour);
      return { name: group, colour };
    });
    const codes = codesFor(groups.length, manifest.cellCount);
    codes.set(found.codes);
    const words = `Imported from a table: ${countText(found.match.matched)} of ${countText(found.match.given)} barcodes matched`;
    const state = { labels: { groups, codes }, words, cells: found.match.matched };
    const annotation = await this.#insert({ userId, manifest, name }, state, waiting);
    return { annotation, match: withUnlabelled(found.match, annotation) };
  }

  async #insert(
    { userId, manifest, name }: { userId: string; manifest: DatasetManifest; name: string },
    state: ChangedLabels,
    waiting: Waiting,
  ): Promise<Annotation> {
    await this.#refuseColumn(manifest, name);
    await this.#keepBarcodes(manifest, waiting);
    const key = { userId, datasetId: manifest.id, name };
    return this.stored.insert(key, { ...state, version: manifest.version });
  }

  /** A figure names columns of both kinds alike. */
  async #refuseColumn(manifest: DatasetManifest, name: string): Promise<void> {
    const { obsColumnNames } = await this.#datasets.get(manifest);
    if (!obsColumnNames.includes(name) && !Object.hasOwn(manifest.roles.metadata, name)) return;
    throw new ApiFailure(
      409,
      'annotation_exists',
      `The dataset has a column ${quoted(name)} of its own. Choose another name.`,
    );
  }

  /** Until the next version of the dataset, when this one is gone. */
  async #keepBarcodes({ id, version }: DatasetManifest, waiting: Waiting): Promise<void> {
    const dataset = { id, version };
    if (await this.stored.hasBarcodes(dataset)) return;
    const barcodes = await this.#compute.run<BarcodesTask>({ kind: 'barcodes', dataset }, waiting);
    await this.stored.keepBarcodes(dataset, barcodes);
  }

  /**
   * Keeps what `change` makes of the labels as a new revision. Throws ApiFailure 404,
   * 409 where the annotation is at another revision or of another version of the dataset, and what `change` throws.
   */
  async change(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    manifest: DatasetManifest,
    change: (labels: Labels) => ChangedLabels,
  ): Promise<Annotation> {
    const current = await this.stored.current(userId, id);
    refuseOther(current, { revision, version: manifest.version });
    const codes = await unpackedCodes(current);
    const changed = change({ groups: current.groups, codes });
    await this.stored.append(userId, current, {
      ...changed,
      version: current.version,
      // Another name or colour moves no cell, and packing is most of the work.
      ...(changed.labels.codes === codes && { packed: current.codes }),
    });
    return this.stored.get(userId, id);
  }

  /** Throws ApiFailure 404, 409 for a name that is taken. */
  async rename(userId: string, id: string, manifest: DatasetManifest, name: string): Promise<Annotation> {
    await this.#refuseColumn(manifest, name);
    return this.stored.rename(userId, id, manifest.id, name);
  }

  /** The labels of the cells that the dataset still has, as its current version calls them. Throws ApiFailure 404, 409. */
  async carryOver(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    manifest: DatasetManifest,
    waiting: Waiting,
  ): Promise<MatchedAnnotation> {
    const current = await this.stored.current(userId, id);
    refuseOther(current, { revision, version: current.version });
    if (current.version === manifest.version) {
      throw new ApiFailure(
        409,
        'nothing_to_carry_over',
        'The labels are of this version of the dataset already.',
      );
    }
    await this.#refuseColumn(manifest, current.name);
    const barcodes = await this.stored.barcodes({ id: current.datasetId, version: current.version });
    if (!barcodes) {
      throw new ApiFailure(404, 'barcodes_not_found', 'The barcodes of the other version are not kept.');
    }
    await this.#keepBarcodes(manifest, waiting);
    const before = await unpackedCodes(current);
    const { codes: found, match } = await this.#compute.run<CarryLabelsTask>(
      {
        kind: 'carry-labels',
        isLong: true,
        dataset: { id: manifest.id, version: manifest.version },
        barcodes,
        codes: before,
      },
      waiting,
    );
    const codes = codesFor(current.groups.length, found.length);
    codes.set(found);
    const words = `Carried over from version ${current.version}: ${countText(match.matched)} of ${countText(match.given)} labelled cells are in this one`;
    const labels = { groups: current.groups, codes };
    await this.stored.append(userId, current, {
      labels,
      words,
      cells: match.matched,
      version: manifest.version,
    });
    await this.stored.forgetBarcodes(current.datasetId);
    const annotation = await this.stored.get(userId, id);
    return { annotation, match: withUnlabelled(match, annotation) };
  }
}

function emptyLabels({ cellCount }: DatasetManifest): Labels {
  return { groups: [], codes: codesFor(0, cellCount).fill(-1) };
}

function withUnlabelled(match: Matching, { unlabelled }: Annotation): MatchedAnnotation['match'] {
  return { ...match, unlabelled };
}
