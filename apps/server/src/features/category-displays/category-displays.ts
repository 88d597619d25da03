import {
  type CategoryDisplay,
  type ColumnCategories,
  columnTitle,
  type FigureSource,
} from '@cellfolio/contract';
import { maxDisplayedCategories } from '@cellfolio/contract';
import { type CategoricalColumn, countText } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { columnPalette } from '@cellfolio/figures';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { displayedColours, displayOrder, labelIn } from '../../runtime/compute/category-display.ts';
import {
  categoricalColumn,
  NotCategorical,
  type OpenDatasets,
  requireColumn,
} from '../../runtime/compute/open-datasets.ts';
import { documentKinds, UserDocuments } from '../../runtime/user-documents.ts';
import type { Displays } from '../selection/index.ts';
import { quotedColumn } from '../../runtime/column-names.ts';
import type { Owner } from '../../runtime/owners.ts';

type Categories = CategoryDisplay['categories'];

interface Shown {
  owner: Owner;
  manifest: DatasetManifest;
  column: string;
}

const maxCached = 10_000;
/** JSON of the categories of a column. */
const maxCharacters = 512 * 1024;

/** Orders, colours and names that users gave the categories of columns, in the database: each change is a revision. */
export class CategoryDisplays implements Displays {
  readonly #database: Database;
  readonly #documents: UserDocuments<{ categories: Categories }>;
  readonly #datasets: OpenDatasets;
  /** By user and dataset; used only where no other process can write. */
  readonly #cached = new Map<string, readonly CategoryDisplay[]>();

  constructor({ database, datasets }: { database: Database; datasets: OpenDatasets }) {
    this.#database = database;
    this.#documents = new UserDocuments(database, documentKinds.display);
    this.#datasets = datasets;
  }

  async current(owner: Owner, { id }: { id: string }): Promise<readonly CategoryDisplay[]> {
    const key = keyOf(owner, id);
    const cached = this.#cached.get(key);
    if (cached) return cached;
    const documents = await this.#documents.list(owner, id);
    const rows = documents.flatMap(({ name: column, revision, body }) =>
      body === null ? [] : [{ column, revision, ...body }],
    );
    if (this.#database.kind === 'embedded') {
      this.#cached.set(key, rows);
      const oldest = this.#cached.keys().next();
      if (this.#cached.size > maxCached && !oldest.done) this.#cached.delete(oldest.value);
    }
    return rows;
  }

  async storedDisplays(
    owner: Owner,
    { id }: { id: string },
    displays: FigureSource['displays'] = [],
  ): Promise<readonly CategoryDisplay[]> {
    if (displays.length === 0) return [];
    const { rows } = await this.#database.pool.query<CategoryDisplay>(
      `select d.name as "column", r.revision, r.body -> 'categories' as categories
       from cellfolio.user_documents d join cellfolio.user_document_revisions r on r.document_id = d.id
       join unnest($3::text[], $4::integer[]) as named (name, revision)
         on named.name = d.name and named.revision = r.revision
       where d.kind = 'display' and d.owner_id = $1 and d.dataset_id = $2 and r.body is not null`,
      [owner, id, displays.map(({ column }) => column), displays.map(({ revision }) => revision)],
    );
    const missing = displays.find(
      ({ column, revision }) => !rows.some((row) => row.column === column && row.revision === revision),
    );
    if (!missing) return rows;
    throw new ApiFailure(
      404,
      'display_not_kept',
      `The order, colors and names of this figure, revision ${missing.revision} of ${quoted(missing.column)}, are no longer available. Redraw the figure.`,
    );
  }

  /** The categories of a column as figures show them. Throws ApiFailure 404, 400 for a column without categories. */
  async of(shown: Shown): Promise<ColumnCategories> {
    const { manifest, column: name } = shown;
    const column = await this.#column(shown);
    const { revision, categories } = await this.#latest(shown);
    const display = categories ? { column: name, revision, categories } : undefined;
    const palette = columnPalette(name, manifest.roles);
    const colours = displayedColours(column, display, palette);
    const own = displayedColours(column, undefined, palette);
    const labelOf = labelIn(display);
    const cells = new Uint32Array(column.categories.length);
    for (const code of column.codes) if (code >= 0) cells[code]!++;
    return {
      column: name,
      title: columnTitle(name),
      revision,
      own: display !== undefined,
      categories: displayOrder(column.categories, display).map((code) => ({
        name: column.categories[code]!,
        label: labelOf(column.categories[code]!),
        cells: cells[code]!,
        colour: colours[code]!,
        dataset_colour: own[code]!,
        place: code,
      })),
    };
  }

  /**
   * Stores order, colours and names, or with null restores those of the dataset. Throws ApiFailure 400 unless each
   * category is named once and labels are unique, 409 when they are at another revision or too many are stored, and
   * what `of` throws.
   */
  async change(
    shown: Shown,
    { revision, categories }: { revision: number; categories: Categories | null },
  ): Promise<ColumnCategories> {
    const { owner, manifest, column } = shown;
    const storedColumn = await this.#column(shown);
    if (categories) {
      checkNames(storedColumn, categories);
      checkLabels(categories);
    }
    if (categories && JSON.stringify(categories).length > maxCharacters) {
      throw new ApiFailure(
        413,
        'display_too_large',
        'The category names exceed 512 KiB in total. Enter shorter ones.',
      );
    }
    const latest = await this.#latest(shown);
    const body = categories && { categories };
    if (latest.revision !== revision) throw this.#documents.changedMeanwhile();
    await (latest.id === undefined
      ? this.#documents.create(owner, { dataset: manifest.id, name: column, body })
      : this.#documents.change(owner, latest.id, { revision, body }));
    this.#cached.delete(keyOf(owner, manifest.id));
    return this.of(shown);
  }

  async #latest({ owner, manifest, column }: Shown) {
    const display = await this.#documents.named(owner, manifest.id, column);
    return {
      id: display?.id,
      revision: display?.revision ?? 0,
      categories: display?.body?.categories ?? null,
    };
  }

  async #column({ manifest, column: name }: Shown): Promise<CategoricalColumn> {
    const dataset = await this.#datasets.get(manifest);
    requireColumn(dataset, name);
    const column = await categoricalColumn(dataset, name).catch((error: unknown) => {
      if (!(error instanceof NotCategorical)) throw error;
      throw new ApiFailure(400, 'not_categorical', error.message, { cause: error });
    });
    const { length } = column.categories;
    if (length > 0 && length <= maxDisplayedCategories) return column;
    throw new ApiFailure(
      422,
      'too_many_groups',
      `The column ${quotedColumn(name)} has ${countText(length)} categories; 1 to ${countText(maxDisplayedCategories)} can be put in order.`,
    );
  }
}

function checkNames({ categories: existing }: CategoricalColumn, categories: Categories): void {
  const names = new Set(categories.map(({ name }) => name));
  if (categories.length === existing.length && existing.every((name) => names.has(name))) return;
  const problem = `Name each of the ${existing.length} categories once, in their new order.`;
  throw new ApiFailure(400, 'categories_not_named', problem, {
    details: [{ field: 'categories', problem }],
  });
}

/** Two categories with the same name would look merged, while their cells are still counted separately. */
function checkLabels(categories: Categories): void {
  const nameOf = new Map<string, string>();
  for (const [place, { name, label = name }] of categories.entries()) {
    const shown = comparable(label);
    const other = nameOf.get(shown);
    if (
      other !== undefined &&
      categories.some((one) => one.label !== undefined && comparable(one.label) === shown)
    ) {
      const problem = `Two categories would be called ${quoted(label)}: ${quoted(other)} and ${quoted(name)}. Give each its own name; to merge them, copy the column as an annotation.`;
      throw new ApiFailure(400, 'category_labels_repeat', problem, {
        details: [{ field: `categories[${place}].label`, problem }],
      });
    }
    nameOf.set(shown, name);
  }
}

/** Labels that look the same compare as equal, however they are encoded. */
function comparable(label: string): string {
  return label.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

function keyOf(owner: Owner, datasetId: string): string {
  return `${owner}|${datasetId}`;
}

function quoted(name: string): string {
  return `“${name}”`;
}
