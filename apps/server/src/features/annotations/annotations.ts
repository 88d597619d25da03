import {
  type Annotation,
  columnTitle,
  type MatchedAnnotation,
  type NewAnnotation,
} from '@cellfolio/contract';
import { type CategoricalColumn, countText, plural } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { categoryColours, columnPalette, freeColour } from '@cellfolio/figures';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { DocumentState, UserDocuments } from '../../runtime/user-documents.ts';
import {
  categoricalColumn,
  NotCategorical,
  type OpenDatasets,
  requireColumn,
} from '../../runtime/compute/open-datasets.ts';
import { AnnotatedBarcodes } from './annotated-barcodes.ts';
import type { AnnotationColumns } from './annotation-columns.ts';
import {
  type AnnotationDocument,
  type AnnotationState,
  annotationsOf,
  currentLabels,
  currentStates,
  stateOf,
} from './annotation-states.ts';
import { groupTermOf, withFileTerms } from './group-terms.ts';
import { unpackedCodes } from './packed-codes.ts';
import { type ChangedLabels, codesFor, groupCounts, type Labels, quoted } from './labels.ts';
import type { Matching } from './match-barcodes.ts';
import { refuseColumn } from './refuse-column.ts';
import type { BarcodesTask, CarryLabelsTask, ReadLabelsTask } from './tasks.ts';
import type { Owner } from '../../runtime/owners.ts';

/** Cell labels made by users, stored in the database: each change is a revision; the latest twenty are kept. */
export class Annotations {
  readonly #database: Database;
  readonly #documents: UserDocuments<AnnotationState>;
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
    this.#documents = annotationsOf(deps.database);
    this.#datasets = deps.datasets;
    this.#compute = deps.compute;
    this.#columns = deps.columns;
    this.#barcodes = new AnnotatedBarcodes(deps);
  }

  /** Annotations of all versions of the dataset, oldest first. */
  async list(owner: Owner, datasetId: string): Promise<Annotation[]> {
    return this.#read(owner, 'a.dataset_id = $2', datasetId);
  }

  /** Throws ApiFailure 404. */
  async get(owner: Owner, id: string): Promise<Annotation> {
    const [annotation] = await this.#read(owner, 'a.id = $2', id);
    return annotation ?? this.#documents.notFound();
  }

  async #read(owner: Owner, where: string, value: string): Promise<Annotation[]> {
    const { rows } = await this.#database.pool.query<Annotation>(
      `select a.id, a.name, a.revision, r.body ->> 'version' as version, r.body -> 'groups' as groups,
         (r.body -> 'unlabelled')::integer as unlabelled, (
           select json_agg(json_build_object('revision', h.revision, 'at', h.at, 'words', h.body -> 'words',
             'cells', h.body -> 'cells') order by h.revision desc)
           from cellfolio.user_document_revisions h
           where h.document_id = a.id and h.body -> 'version' = r.body -> 'version') as history
       from ${currentStates}
       where not (r.body -> 'numbers')::boolean and a.owner_id = $1 and ${where} order by a.created_at, a.id`,
      [owner, value],
    );
    return rows;
  }

  /**
   * Creates an annotation from a column of obs, from another annotation, or without labels. Throws ApiFailure 404 for
   * an unknown column, 409 for a duplicate name, 422 for too many groups; NotCategorical.
   */
  async create(
    { owner, manifest }: { owner: Owner; manifest: DatasetManifest },
    { name, from }: NewAnnotation,
    call: CallContext,
  ): Promise<Annotation> {
    const labels = from === undefined ? emptyLabels(manifest) : await this.#labelsOf(owner, manifest, from);
    const own = from === undefined ? [] : await this.#columns.named(owner, manifest, from);
    const words =
      from === undefined ? 'Begun without labels' : `Copied from ${quoted(columnTitle(from, own))}`;
    const { counts } = groupCounts(labels);
    const cells = counts.reduce((sum, count) => sum + count, 0);
    return this.#insert({ owner, manifest, name }, { labels, words, cells }, call);
  }

  async #labelsOf(owner: Owner, manifest: DatasetManifest, from: string): Promise<Labels> {
    const column = await this.columnOf(owner, manifest, from);
    const codes = codesFor(column.categories.length, column.codes.length);
    codes.set(column.codes);
    const colours = categoryColours(column, columnPalette(from, manifest.roles));
    const groups = column.categories.map((name, code) => ({
      name,
      colour: colours[code]!,
      term: groupTermOf(column.terms?.[code], name),
    }));
    return { groups, codes };
  }

  /**
   * A column of obs or an annotation as groups of cells, with their ontology ids. Throws ApiFailure 404 when it does not
   * exist, 400 when it has no groups.
   */
  async columnOf(owner: Owner, manifest: DatasetManifest, name: string): Promise<CategoricalColumn> {
    const own = await this.#columns.named(owner, manifest, name);
    const dataset = await this.#datasets.get({ id: manifest.id, version: manifest.version, own });
    requireColumn(dataset, name);
    const column = await categoricalColumn(dataset, name).catch((error: unknown) => {
      if (!(error instanceof NotCategorical)) throw error;
      throw new ApiFailure(400, 'not_categorical', error.message, { cause: error });
    });
    return withFileTerms(dataset, name, column);
  }

  /**
   * A column of a subclustering as groups of the cells of the dataset that it was taken from, found by barcode; the
   * other cells are in no group. Throws ApiFailure 404 when it is no subclustering of that dataset, 422 when none of its
   * cells is there, and what `columnOf` throws.
   */
  async columnOfPart(
    { owner, manifest: part }: { owner: Owner; manifest: DatasetManifest },
    name: string,
    { id, version, cellCount }: DatasetManifest,
    call: CallContext,
  ): Promise<{ column: Pick<CategoricalColumn, 'codes' | 'categories' | 'terms'>; title: string }> {
    const { rowCount } = await this.#database.pool.query(
      `select from cellfolio.subclusterings s join public.user_files f on f.id = s.file_id
       where f.user_id = $1 and 'custom:' || f.id = $2 and s.parent_id = $3`,
      [owner, part.id, id],
    );
    const { name: partName } = part.catalogue;
    if (!rowCount) {
      const problem = `${quoted(partName)} is not a subclustering of this dataset.`;
      throw new ApiFailure(404, 'subclustering_not_found', problem);
    }
    const { codes, categories, terms } = await this.columnOf(owner, part, name);
    const barcodes = await this.#compute.run<BarcodesTask>(
      { kind: 'barcodes', dataset: { id: part.id, version: part.version } },
      call,
    );
    const { codes: carriedCodes, match } = await this.#compute.run<CarryLabelsTask>(
      { kind: 'carry-labels', isLong: true, dataset: { id, version }, barcodes, codes },
      call,
    );
    if (match.matched === 0) {
      const problem = `None of the labeled cells of ${quoted(partName)} is in this version of the dataset.`;
      throw new ApiFailure(422, 'labels_not_read', problem);
    }
    const column = { codes: codesFor(categories.length, cellCount), categories, ...(terms && { terms }) };
    column.codes.set(carriedCodes);
    const own = await this.#columns.named(owner, part, name);
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
    { owner, manifest }: { owner: Owner; manifest: DatasetManifest },
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
      return { name: group, colour, term: groupTermOf(tableLabels.ids.get(group), group) };
    });
    const codes = codesFor(groups.length, manifest.cellCount);
    codes.set(tableLabels.codes);
    const words = `Imported from a table: ${countText(tableLabels.match.matched)} of ${countText(tableLabels.match.given)} barcodes matched${severalIds(tableLabels.several)}`;
    const state = { labels: { groups, codes }, words, cells: tableLabels.match.matched };
    const annotation = await this.#insert({ owner, manifest, name }, state, call);
    return { annotation, match: withUnlabelled(tableLabels.match, annotation) };
  }

  async #insert(
    { owner, manifest, name }: { owner: Owner; manifest: DatasetManifest; name: string },
    state: ChangedLabels,
    call: CallContext,
  ): Promise<Annotation> {
    await refuseColumn(this.#datasets, manifest, name);
    await this.#barcodes.keep(manifest, call);
    const labels = await stateOf({ ...state, version: manifest.version });
    const id = await this.#documents.create(owner, { dataset: manifest.id, name, ...labels });
    this.#columns.forget(owner, manifest.id);
    return this.get(owner, id);
  }

  /**
   * Stores the labels that `change` returns as a new revision and drops the undone ones. Throws ApiFailure 404, 409
   * when the annotation is at another revision or belongs to another version of the dataset, and what `change` throws.
   */
  async change(
    { owner, id, revision }: { owner: Owner; id: string; revision: number },
    manifest: DatasetManifest,
    change: (labels: Labels) => ChangedLabels,
  ): Promise<Annotation> {
    const current = await this.#current(owner, id);
    this.#refuseOther(current, { revision, version: manifest.version });
    const { body, codes: packed } = current;
    const codes = await unpackedCodes({ groups: body.groups, codes: packed });
    const changed = change({ groups: body.groups, codes });
    const state = await stateOf({
      ...changed,
      version: body.version,
      // Another name or colour moves no cell, and packing is most of the work.
      ...(changed.labels.codes === codes && { packed }),
    });
    await this.#append(owner, current, state);
    return this.get(owner, id);
  }

  #current(owner: Owner, id: string) {
    return currentLabels(this.#database, this.#documents, owner, id);
  }

  async #append(
    owner: Owner,
    { id, dataset, revision }: AnnotationDocument,
    state: DocumentState<AnnotationState>,
  ): Promise<void> {
    await this.#documents.change(owner, id, { revision, ...state });
    this.#columns.forget(owner, dataset);
  }

  /** Throws ApiFailure 409 when an annotation is at another revision or belongs to another version of the dataset. */
  #refuseOther(
    { name, revision, body }: AnnotationDocument,
    required: { revision: number; version: string },
  ): void {
    if (revision !== required.revision) throw this.#documents.changedMeanwhile();
    if (body.version === required.version) return;
    throw new ApiFailure(
      409,
      'annotation_of_other_version',
      `${quoted(name)} belongs to another version of the dataset. Carry its labels over first.`,
    );
  }

  /** Moves to another stored revision. Throws ApiFailure 404, 409. */
  async move(
    { owner, id, revision }: { owner: Owner; id: string; revision: number },
    to: number,
  ): Promise<Annotation> {
    const current = await this.#current(owner, id);
    const { name, dataset, body } = current;
    this.#refuseOther(current, { revision, version: body.version });
    const { rowCount } = await this.#database.pool.query(
      `select from cellfolio.user_document_revisions
       where document_id = $1 and revision = $2 and body ->> 'version' = $3`,
      [id, to, body.version],
    );
    if (!rowCount || !(await this.#documents.move(owner, id, { revision, to }))) {
      throw new ApiFailure(
        404,
        'revision_not_found',
        `Revision ${to} of ${quoted(name)} is no longer available.`,
      );
    }
    this.#columns.forget(owner, dataset);
    return this.get(owner, id);
  }

  /** Throws ApiFailure 404, or 409 for a duplicate name. */
  async rename(owner: Owner, id: string, manifest: DatasetManifest, name: string): Promise<Annotation> {
    await refuseColumn(this.#datasets, manifest, name);
    // Numbers keep their name.
    await this.get(owner, id);
    await this.#documents.rename(owner, id, name);
    this.#columns.forget(owner, manifest.id);
    return this.get(owner, id);
  }

  /** Returns the id of its dataset. Throws ApiFailure 404. */
  async remove(owner: Owner, id: string): Promise<string> {
    const dataset = await this.#documents.remove(owner, id);
    this.#columns.forget(owner, dataset);
    await this.#barcodes.forget(dataset);
    return dataset;
  }

  /**
   * Carries the labels over to the cells that the current version of the dataset still has. Throws ApiFailure 404, 409.
   */
  async carryOver(
    { owner, id, revision }: { owner: Owner; id: string; revision: number },
    manifest: DatasetManifest,
    call: CallContext,
  ): Promise<MatchedAnnotation> {
    const current = await this.#current(owner, id);
    const { groups, version } = current.body;
    this.#refuseOther(current, { revision, version });
    if (version === manifest.version) {
      throw new ApiFailure(
        409,
        'nothing_to_carry_over',
        'The labels already belong to this version of the dataset.',
      );
    }
    await refuseColumn(this.#datasets, manifest, current.name);
    const barcodes = await this.#barcodes.of(current.dataset, version);
    await this.#barcodes.keep(manifest, call);
    const before = await unpackedCodes({ groups, codes: current.codes });
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
    const codes = codesFor(groups.length, carriedCodes.length);
    codes.set(carriedCodes);
    const words = `Carried over to the version of the dataset of ${dateOf(manifest.createdAt)}: ${countText(match.matched)} of ${countText(match.given)} labeled cells are in this one`;
    const labels = { groups, codes };
    const state = { labels, words, cells: match.matched, version: manifest.version };
    await this.#append(owner, current, await stateOf(state));
    await this.#barcodes.forget(current.dataset);
    const annotation = await this.get(owner, id);
    return { annotation, match: withUnlabelled(match, annotation) };
  }

  /** Throws ApiFailure 404. */
  async datasetOf(owner: Owner, id: string): Promise<string> {
    return (await this.#documents.get(owner, id)).dataset;
  }
}

function emptyLabels({ cellCount }: DatasetManifest): Labels {
  return { groups: [], codes: codesFor(0, cellCount).fill(-1) };
}

function severalIds(groups: number): string {
  return groups === 0
    ? ''
    : `; ${plural(groups, 'group has', 'groups have')} several ontology ids there, and none here`;
}

function withUnlabelled(match: Matching, { unlabelled }: Annotation): MatchedAnnotation['match'] {
  return { ...match, unlabelled };
}

/** Formatted like `November 26, 2026`, in UTC, since the server's time zone may differ from the reader's. */
function dateOf(time: string): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
