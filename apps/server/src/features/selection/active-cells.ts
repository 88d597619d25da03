import { type Database, type Admission, network } from '@cellfolio/platform';
import type { ChosenCells, NamedDataset } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import { type TabSession, tabSessionOf } from '../../runtime/http/access.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type Caller, type Owner, ownerOf } from '../../runtime/owners.ts';
import { ColumnNotFound } from '../../runtime/compute/open-datasets.ts';
import {
  type Displays,
  type UserColumns,
  type Selection,
  type SubsetFilter,
  subsetFilter,
  visitors,
} from './selection.ts';
import { datasetReplaced, type ReadableDatasets } from '../catalogue/index.ts';
import type { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { type CellCounts, otherCellsOf } from './definition.ts';
import { limits } from '../../runtime/limits/limits.ts';

interface Active {
  datasetId: string;
  /** Undefined when it was opened before versions were recorded. */
  version: string | undefined;
  subset: SubsetFilter | undefined;
}

/**
 * The dataset each user has open in each tab, with its chosen cells, stored in the database so that any replica can
 * respond.
 */
export class ActiveDatasets {
  readonly #database: Database;
  readonly #datasets: Pick<ReadableDatasets, 'find'>;
  /** Rows written by this process; used only where no other process can write. */
  readonly #remembered = new Map<string, Active>();

  constructor(database: Database, datasets: Pick<ReadableDatasets, 'find'>) {
    this.#database = database;
    this.#datasets = datasets;
  }

  /** Opening a dataset also drops the active subset: it belonged to the previous dataset. */
  async open(tab: TabSession, { id, version }: DatasetRef): Promise<void> {
    await this.#database.pool.query(
      `insert into cellfolio.active_datasets (user_id, session_id, dataset_id, version)
       values ($1, $2, $3, $4)
       on conflict (user_id, session_id)
       do update set dataset_id = excluded.dataset_id, version = excluded.version, subset = null, updated_at = now()`,
      [tab.userId, tab.sessionId, id, version],
    );
    this.#remember(tab, { datasetId: id, version, subset: undefined });
    await this.#forgetOld(tab.userId);
  }

  /**
   * After a refused open nothing is open in the tab, so that no call responds for the previous dataset. `since` is when
   * the open began: whatever the tab has opened since stays. `exceptId` is the id of a dataset that stays open.
   */
  async close(tab: TabSession, since: Date, exceptId?: string): Promise<void> {
    const { rowCount } = await this.#database.pool.query(
      `delete from cellfolio.active_datasets
       where user_id = $1 and session_id = $2 and updated_at < $3 and dataset_id is distinct from $4`,
      [tab.userId, tab.sessionId, since, exceptId ?? null],
    );
    if (rowCount) this.#remembered.delete(keyOf(tab));
  }

  /** Tabs are never closed, only left: entries older than a month, and all but a user's latest hundred, are deleted. */
  async #forgetOld(userId: string): Promise<void> {
    await this.#database.pool.query(
      `delete from cellfolio.active_datasets
       where updated_at < now() - interval '30 days'
         or (user_id = $1 and session_id not in (
           select session_id from cellfolio.active_datasets
           where user_id = $1 order by updated_at desc limit ${limits.tabs.value}))`,
      [userId],
    );
  }

  /**
   * Activates a part of the cells, or all of them. Does nothing when the tab has opened another dataset in the
   * meantime: the filter was for the previous one.
   */
  async choose(
    tab: TabSession,
    { id, version }: DatasetRef,
    subset: SubsetFilter | undefined,
  ): Promise<void> {
    const { rowCount } = await this.#database.pool.query(
      `update cellfolio.active_datasets set subset = $5, version = $4, updated_at = now()
       where user_id = $1 and session_id = $2 and dataset_id = $3 and coalesce(version, $4) = $4`,
      [tab.userId, tab.sessionId, id, version, subset === undefined ? null : JSON.stringify(subset)],
    );
    if (rowCount) this.#remember(tab, { datasetId: id, version, subset });
  }

  /**
   * Throws ApiFailure 400 'No dataset loaded' when the tab has opened none, or it was removed since; 409 when it was
   * replaced: with other cells and genes, the tab would not get what it shows and requests.
   */
  async current(tab: TabSession): Promise<Selection> {
    const active = this.#remembered.get(keyOf(tab)) ?? (await this.#stored(tab));
    const manifest = active && (await this.#datasets.find(tab, active.datasetId));
    if (!manifest) throw new ApiFailure(400, 'no_dataset_loaded', 'No dataset loaded. Open a dataset first.');
    if ((active.version ?? manifest.version) !== manifest.version)
      throw datasetReplaced(manifest, 'it was opened here. Open it again to go on with the new one.');
    return { manifest, subset: active.subset };
  }

  async #stored({ userId, sessionId }: TabSession): Promise<Active | undefined> {
    const { rows } = await this.#database.pool.query<{
      dataset_id: string;
      version: string | null;
      subset: SubsetFilter | null;
    }>(
      'select dataset_id, version, subset from cellfolio.active_datasets where user_id = $1 and session_id = $2',
      [userId, sessionId],
    );
    if (!rows[0]) return undefined;
    const { dataset_id: datasetId, version, subset } = rows[0];
    return { datasetId, version: version ?? undefined, subset: subset ?? undefined };
  }

  /** The embedded database belongs to this process alone, so what it wrote last is current. */
  #remember(tab: TabSession, active: Active): void {
    if (this.#database.kind !== 'embedded') return;
    const key = keyOf(tab);
    this.#remembered.delete(key);
    // So many tabs with a selection of a million cells each would take gigabytes.
    if ((active.subset?.cells?.places.length ?? 0) > longestRemembered) return;
    this.#remembered.set(key, active);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > maxRemembered && !oldest.done) this.#remembered.delete(oldest.value);
  }
}

const maxRemembered = 10_000;
/** Maximum characters of a selection in memory; longer ones are read from the database each time. */
const longestRemembered = 2000;

function keyOf({ userId, sessionId }: TabSession): string {
  return `${userId}|${sessionId}`;
}

export interface SelectionServices {
  active: ActiveDatasets;
  readable: Pick<ReadableDatasets, 'manifest'>;
  ownColumns: UserColumns;
  displays: Displays;
  masks: CellCounts;
  progress: ProgressHub;
  admission: Admission;
  /** Turns of visitors, who take none of the places of users. */
  visitorTurns: Admission;
}

export type TurnServices = Pick<SelectionServices, 'progress' | 'admission' | 'ownColumns' | 'visitorTurns'>;

/**
 * Runs the work of a call when it is its turn; its progress is published under the request id, and it is cancelled when
 * its caller disconnects. Throws NotAdmitted when too many calls are running.
 */
export async function watched<T>(
  services: TurnServices,
  request: FastifyRequest,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const { visitor } = request;
  if (visitor) {
    const leave = await services.visitorTurns.enter(visitor.network, request.clientGone, visitor.network);
    try {
      return await work({ signal: request.clientGone, users: visitors, onProgress: () => undefined });
    } finally {
      leave();
    }
  }
  const { progress, admission, ownColumns } = services;
  const caller = tabSessionOf(request);
  const { userId } = caller;
  const { report, finish } = progress.start({ userId, requestId: request.id });
  try {
    const leave = await admission.enter(userId, request.clientGone, network(request.ip));
    try {
      return await work({ signal: request.clientGone, users: () => [userId], onProgress: report });
    } catch (error) {
      if (error instanceof ColumnNotFound) await refuseOtherVersion(error, ownerOf(caller), ownColumns);
      throw error;
    } finally {
      leave();
    }
  } finally {
    finish();
  }
}

/** Throws an ApiFailure with advice when the column is the caller's annotation on another version. */
async function refuseOtherVersion(
  { column, dataset, status, code }: ColumnNotFound,
  owner: Owner,
  columns: UserColumns,
): Promise<void> {
  if (!(await columns.isOfOtherVersion(owner, dataset, column))) return;
  throw new ApiFailure(
    status,
    code,
    `Your labels ${quotedHead(column, 80)} belong to another version of the dataset. Carry them over to this one first.`,
  );
}

interface NamedCells {
  /** Instead of the one that is open in the tab. */
  dataset?: NamedDataset | undefined;
  /** Instead of the active ones; all where a dataset is named. */
  cells?: ChosenCells | undefined;
  own?: 'all';
  sides?: readonly (SubsetFilter | undefined)[];
}

/**
 * Runs the work of a call on the active cells of the caller's tab, or on the dataset and the cells that the call names,
 * with the caller's own columns that its body or subset names, or all of them, and the caller's orders and colours of
 * categories. `sides` are the filters of sets that it compares.
 */
export async function onActiveCells<T>(
  services: SelectionServices,
  request: FastifyRequest,
  work: (selection: Selection, call: CallContext) => Promise<T>,
  { dataset, cells, own, sides = [] }: NamedCells = {},
): Promise<T> {
  const chosen = cells?.subset && subsetFilter(cells.subset);
  return watched(services, request, async (call) => {
    const tab = tabSessionOf(request);
    const owner = ownerOf(tab);
    const { manifest, subset: active } = dataset
      ? await namedDataset(services, tab, dataset)
      : await services.active.current(tab);
    const subset = cells ? chosen : active;
    const columns = services.ownColumns;
    const named =
      own === 'all'
        ? await columns.all(owner, manifest)
        : await columns.named(owner, manifest, [request.body, subset]);
    const displays = await services.displays.current(owner, manifest);
    const selection = { manifest, subset, own: named, displays };
    const cautions = await otherCellsOf(services.masks, selection, [subset, ...sides], call);
    return work({ ...selection, cautions }, call);
  });
}

/** Throws the ApiFailure of opening the dataset, 409 when it has another version. */
async function namedDataset(
  { readable }: Pick<SelectionServices, 'readable'>,
  caller: Caller,
  { filename, version }: NamedDataset,
): Promise<Selection> {
  const manifest = await readable.manifest(caller, filename);
  if (version !== undefined && version !== manifest.version)
    throw datasetReplaced(manifest, `version ${quotedHead(version, 80)}. Name the version of now, or none.`);
  return { manifest, subset: undefined };
}

/** As `onActiveCells`, on all cells of the dataset: the active ones may no longer be found, as of a column that is gone. */
export function onAllCells<T>(
  services: SelectionServices,
  request: FastifyRequest,
  work: (selection: Selection, call: CallContext) => Promise<T>,
): Promise<T> {
  return onActiveCells(services, request, work, { cells: {} });
}
