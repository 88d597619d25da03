import {
  type Annotation,
  columnTitle,
  type MatchedAnnotation,
  type NewAnnotation,
} from '@cellfolio/contract';
import { type CategoricalColumn, countText } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { categoryColours, columnPalette, freeColour } from '@cellfolio/figures';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import {
  categoricalColumn,
  NotCategorical,
  type OpenDatasets,
  requireColumn,
} from '../../runtime/compute/open-datasets.ts';
import { AnnotatedBarcodes } from './annotated-barcodes.ts';
import { type AnnotationColumns, noSuchAnnotation } from './annotation-columns.ts';
import {
  type CurrentRevision,
  currentRevision,
  insertRevision,
  type NextState,
  revisionRow,
} from './annotation-revisions.ts';
import { unpackedCodes } from './packed-codes.ts';
import { type ChangedLabels, codesFor, groupCounts, type Labels, quoted } from './labels.ts';
import type { Matching } from './match-barcodes.ts';
import { changedMeanwhile, orRefused, refuseColumn, refuseOther } from './refusals.ts';
import type { BarcodesTask, CarryLabelsTask, ReadLabelsTask } from './tasks.ts';

/** Cell labels made by users, stored in the database: each change is a revision; the latest twenty are kept. */
export class Annotations {
  readonly #database: Database;
  readonly #datasets: OpenDatasets;
  readonly #compute: Compute;
  readonly #columns: AnnotationColumns;
  readonly #barcodes: AnnotatedBarcodes;

  constructor(deps: {
    database: Database;
    datasets: OpenDatasets;
    compute: Compute;
    columns: AnnotationColumns;
  }) {
    this.#database = deps.database;
    this.#datasets = deps.datasets;
    this.#compute = deps.compute;
    this.#columns = deps.columns;
    this.#barcodes = new AnnotatedBarcodes(deps);
  }

  /** Annotations of all versions of the dataset, oldest first. */
  async list(userId: string, datasetId: string): Promise<Annotation[]> {
    return this.#read(userId, 'a.dataset_id = $2', datasetId);
  }

  /** Throws ApiFailure 404. */
  async get(userId: string, id: string): Promise<Annotation> {
    const [annotation] = await this.#read(userId, 'a.id = $2', id);
    return annotation ?? noSuchAnnotation();
  }

  async #read(userId: string, where: string, value: string): Promise<Annotation[]> {
    const { rows } = await this.#database.pool.query<Annotation>(
      `select a.id, a.name, a.revision, r.version, r.groups, r.unlabelled, (
         select json_agg(json_build_object('revision', h.revision, 'at', h.at, 'words', h.words, 'cells', h.cells)
           order by h.revision desc)
         from cellfolio.annotation_revisions h where h.annotation_id = a.id and h.version = r.version) as history
       from cellfolio.annotations a
       join cellfolio.annotation_revisions r on r.annotation_id = a.id and r.revision = a.revision
       where not a.numbers and a.user_id = $1 and ${where} order by a.created_at, a.id`,
      [userId, value],
    );
    return rows;
  }

  /**
   * Creates an annotation from a column of obs, from another annotation, or without labels. Throws ApiFailure 404 for
   * an unknown column, 409 for a duplicate name, 422 for too many groups; NotCategorical.
   */
  async create(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    { name, from }: NewAnnotation,
    call: CallContext,
  ): Promise<Annotation> {
    const labels = from === undefined ? emptyLabels(manifest) : await this.#labelsOf(userId, manifest, from);
    const own = from === undefined ? [] : await this.#columns.named(userId, manifest, from);
    const words =
      from === undefined ? 'Begun without labels' : `Copied from ${quoted(columnTitle(from, own))}`;
    const { counts } = groupCounts(labels);
    const cells = counts.reduce((sum, count) => sum + count, 0);
    return this.#insert({ userId, manifest, name }, { labels, words, cells }, call);
  }

  async #labelsOf(userId: string, manifest: DatasetManifest, from: string): Promise<Labels> {
    const column = await this.columnOf(userId, manifest, from);
    const codes = codesFor(column.categories.length, column.codes.length);
    codes.set(column.codes);
    const colours = categoryColours(column, columnPalette(from, manifest.roles));
    return { groups: column.categories.map((name, code) => ({ name, colour: colours[code]! })), codes };
  }

  /**
   * A column of obs or an annotation as groups of cells. Throws ApiFailure 404 when it does not exist, 400 when it has
   * no groups.
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

  /**
   * A column of a subclustering as groups of the cells of the dataset that it was taken from, found by barcode; the
   * other cells are in no group. Throws ApiFailure 404 when it is no subclustering of that dataset, 422 when none of its
   * cells is there, and what `columnOf` throws.
   */
  async columnOfPart(
    { userId, manifest: part }: { userId: string; manifest: DatasetManifest },
    name: string,
    { id, version, cellCount }: DatasetManifest,
    call: CallContext,
  ): Promise<{ column: Pick<CategoricalColumn, 'codes' | 'categories'>; title: string }> {
    const { rowCount } = await this.#database.pool.query(
      `select from cellfolio.subclusterings s join public.user_files f on f.id = s.file_id
       where f.user_id = $1 and 'custom:' || f.id = $2 and s.parent_id = $3`,
      [userId, part.id, id],
    );
    const { name: partName } = part.catalogue;
    if (!rowCount) {
      const problem = `${quoted(partName)} is not a subclustering of this dataset.`;
      throw new ApiFailure(404, 'subclustering_not_found', problem);
    }
    const { codes, categories } = await this.columnOf(userId, part, name);
    const barcodes = await this.#compute.run<BarcodesTask>(
      { kind: 'barcodes', dataset: { id: part.id, version: part.version } },
      call,
    );
    const { codes: carriedCodes, match } = await this.#compute.run<CarryLabelsTask>(
      { kind: 'carry-labels', isLong: true, dataset: { id, version }, barcodes, codes },
      call,
    );
    if (match.matched === 0) {
      const problem = `None of the labelled cells of ${quoted(partName)} is in this version of the dataset.`;
      throw new ApiFailure(422, 'labels_not_read', problem);
    }
    const column = { codes: codesFor(categories.length, cellCount), categories };
    column.codes.set(carriedCodes);
    const own = await this.#columns.named(userId, part, name);
    const lost =
      match.matched < match.given
        ? `, ${countText(match.matched)} of ${countText(match.given)} cells found`
        : '';
    return { column, title: `${columnTitle(name, own)} of ${partName}${lost}` };
  }

  /** Colours of the dataset's cell types; a group with another name must not get one of them by accident. */
  async coloursOfTypes(manifest: DatasetManifest): Promise<ReadonlySet<string>> {
    const { cellType } = manifest.roles;
    if (cellType === undefined) return new Set();
    const column = await categoricalColumn(await this.#datasets.get(manifest), cellType);
    return new Set(categoryColours(column, 'cell-type'));
  }

  /**
   * Creates an annotation from a table of barcodes and labels. Throws ApiFailure 422 for a table that names no cell of
   * the dataset, 409 for a duplicate name.
   */
  async read(
    { userId, manifest }: { userId: string; manifest: DatasetManifest },
    { name, column, table }: { name: string; column: string | undefined; table: Uint8Array },
    call: CallContext,
  ): Promise<MatchedAnnotation> {
    const dataset = { id: manifest.id, version: manifest.version };
    const task = {
      kind: 'read-labels',
      isLong: true,
      dataset,
      table,
      ...(column !== undefined && { column }),
    } as const;
    const tableLabels = await this.#compute.run<ReadLabelsTask>(task, call);
    if ('problem' in tableLabels) throw new ApiFailure(422, 'labels_not_read', tableLabels.problem);
    const usedColours = new Set<string>();
    const avoided = await this.coloursOfTypes(manifest);
    const groups = tableLabels.groups.map((group) => {
      const colour = freeColour(group, usedColours, avoided);
      usedColours.add(colour);
      return { name: group, colour };
    });
    const codes = codesFor(groups.length, manifest.cellCount);
    codes.set(tableLabels.codes);
    const words = `Imported from a table: ${countText(tableLabels.match.matched)} of ${countText(tableLabels.match.given)} barcodes matched`;
    const state = { labels: { groups, codes }, words, cells: tableLabels.match.matched };
    const annotation = await this.#insert({ userId, manifest, name }, state, call);
    return { annotation, match: withUnlabelled(tableLabels.match, annotation) };
  }

  async #insert(
    { userId, manifest, name }: { userId: string; manifest: DatasetManifest; name: string },
    state: ChangedLabels,
    call: CallContext,
  ): Promise<Annotation> {
    await refuseColumn(this.#datasets, manifest, name);
    await this.#barcodes.keep(manifest, call);
    const id = await orRefused(name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into cellfolio.annotations (user_id, dataset_id, name) values ($1, $2, $3) returning id',
          [userId, manifest.id, name],
        );
        await client.query(insertRevision, [
          rows[0]!.id,
          1,
          ...(await revisionRow({ ...state, version: manifest.version })),
        ]);
        return rows[0]!.id;
      }),
    );
    this.#columns.forget(userId, manifest.id);
    return this.get(userId, id);
  }

  /**
   * Stores the labels that `change` returns as a new revision and drops the undone ones. Throws ApiFailure 404, 409
   * when the annotation is at another revision or belongs to another version of the dataset, and what `change` throws.
   */
  async change(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    manifest: DatasetManifest,
    change: (labels: Labels) => ChangedLabels,
  ): Promise<Annotation> {
    const current = await currentRevision(this.#database, userId, id);
    refuseOther(current, { revision, version: manifest.version });
    const codes = await unpackedCodes(current);
    const changed = change({ groups: current.groups, codes });
    await this.#append(userId, current, {
      ...changed,
      version: current.version,
      // Another name or colour moves no cell, and packing is most of the work.
      ...(changed.labels.codes === codes && { packed: current.codes }),
    });
    return this.get(userId, id);
  }

  async #append(userId: string, current: CurrentRevision, state: NextState): Promise<void> {
    const row = await revisionRow(state);
    await orRefused(current.name, () =>
      this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ revision: number }>(
          `update cellfolio.annotations set revision = last_revision + 1, last_revision = last_revision + 1, updated_at = now()
           where id = $1 and user_id = $2 and revision = $3 returning revision`,
          [current.id, userId, current.revision],
        );
        if (!rows[0]) throw changedMeanwhile();
        await client.query(
          'delete from cellfolio.annotation_revisions where annotation_id = $1 and revision > $2',
          [current.id, current.revision],
        );
        await client.query(insertRevision, [current.id, rows[0].revision, ...row]);
      }),
    );
    this.#columns.forget(userId, current.datasetId);
  }

  /** Moves to another stored revision. Throws ApiFailure 404, 409. */
  async move(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    to: number,
  ): Promise<Annotation> {
    const current = await currentRevision(this.#database, userId, id);
    refuseOther(current, { revision, version: current.version });
    const { rowCount } = await this.#database.pool.query(
      `update cellfolio.annotations a set revision = $4, updated_at = now()
       where id = $1 and user_id = $2 and revision = $3 and exists (
         select from cellfolio.annotation_revisions r
         where r.annotation_id = a.id and r.revision = $4 and r.version = $5)`,
      [id, userId, revision, to, current.version],
    );
    if (!rowCount) {
      throw new ApiFailure(
        404,
        'revision_not_found',
        `Revision ${to} of ${quoted(current.name)} is no longer available.`,
      );
    }
    this.#columns.forget(userId, current.datasetId);
    return this.get(userId, id);
  }

  /** Throws ApiFailure 404, or 409 for a duplicate name. */
  async rename(userId: string, id: string, manifest: DatasetManifest, name: string): Promise<Annotation> {
    await refuseColumn(this.#datasets, manifest, name);
    const update =
      'update cellfolio.annotations set name = $3, updated_at = now() where id = $1 and user_id = $2 and not numbers';
    const { rowCount } = await orRefused(name, () => this.#database.pool.query(update, [id, userId, name]));
    if (!rowCount) noSuchAnnotation();
    this.#columns.forget(userId, manifest.id);
    return this.get(userId, id);
  }

  /** Returns the id of its dataset. Throws ApiFailure 404. */
  async remove(userId: string, id: string): Promise<string> {
    const { rows } = await this.#database.pool.query<{ dataset_id: string }>(
      'delete from cellfolio.annotations where id = $1 and user_id = $2 returning dataset_id',
      [id, userId],
    );
    if (!rows[0]) return noSuchAnnotation();
    this.#columns.forget(userId, rows[0].dataset_id);
    await this.#barcodes.forget(rows[0].dataset_id);
    return rows[0].dataset_id;
  }

  /**
   * Carries the labels over to the cells that the current version of the dataset still has. Throws ApiFailure 404, 409.
   */
  async carryOver(
    { userId, id, revision }: { userId: string; id: string; revision: number },
    manifest: DatasetManifest,
    call: CallContext,
  ): Promise<MatchedAnnotation> {
    const current = await currentRevision(this.#database, userId, id);
    refuseOther(current, { revision, version: current.version });
    if (current.version === manifest.version) {
      throw new ApiFailure(
        409,
        'nothing_to_carry_over',
        'The labels already belong to this version of the dataset.',
      );
    }
    await refuseColumn(this.#datasets, manifest, current.name);
    const barcodes = await this.#barcodes.of(current.datasetId, current.version);
    await this.#barcodes.keep(manifest, call);
    const before = await unpackedCodes(current);
    const { codes: carriedCodes, match } = await this.#compute.run<CarryLabelsTask>(
      {
        kind: 'carry-labels',
        isLong: true,
        dataset: { id: manifest.id, version: manifest.version },
        barcodes,
        codes: before,
      },
      call,
    );
    const codes = codesFor(current.groups.length, carriedCodes.length);
    codes.set(carriedCodes);
    const words = `Carried over to the version of the dataset of ${dateOf(manifest.createdAt)}: ${countText(match.matched)} of ${countText(match.given)} labelled cells are in this one`;
    const labels = { groups: current.groups, codes };
    await this.#append(userId, current, { labels, words, cells: match.matched, version: manifest.version });
    await this.#barcodes.forget(current.datasetId);
    const annotation = await this.get(userId, id);
    return { annotation, match: withUnlabelled(match, annotation) };
  }

  /** Throws ApiFailure 404. */
  async datasetOf(userId: string, id: string): Promise<string> {
    const { rows } = await this.#database.pool.query<{ dataset_id: string }>(
      'select dataset_id from cellfolio.annotations where user_id = $1 and id = $2',
      [userId, id],
    );
    return rows[0]?.dataset_id ?? noSuchAnnotation();
  }
}

function emptyLabels({ cellCount }: DatasetManifest): Labels {
  return { groups: [], codes: codesFor(0, cellCount).fill(-1) };
}

function withUnlabelled(match: Matching, { unlabelled }: Annotation): MatchedAnnotation['match'] {
  return { ...match, unlabelled };
}

/** Formatted like `November 26, 2026`, in UTC, since the server's time zone may differ from the reader's. */
function dateOf(time: string): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
