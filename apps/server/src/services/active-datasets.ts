import type { Database } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from './api-failure.ts';
import type { Catalogue } from './catalogue.ts';

/** Whose screen a call comes from: one user, one browser tab. */
export interface Screen {
  readonly userId: string;
  readonly sessionId: string;
}

/** The dataset each user has open in each tab, kept in the database so that any replica can answer. */
export class ActiveDatasets {
  readonly #database: Database;
  readonly #catalogue: Pick<Catalogue, 'find'>;
  /** What this process wrote itself; used only where no other process can write. */
  readonly #remembered = new Map<string, string>();

  constructor(database: Database, catalogue: Pick<Catalogue, 'find'>) {
    this.#database = database;
    this.#catalogue = catalogue;
  }

  /** Opening a dataset also drops the active subset: it belonged to the dataset before. */
  async open(screen: Screen, datasetId: string): Promise<void> {
    await this.#database.pool.query(
      `insert into cellfolio.active_datasets (user_id, session_id, dataset_id)
       values ($1, $2, $3)
       on conflict (user_id, session_id)
       do update set dataset_id = excluded.dataset_id, subset = null, updated_at = now()`,
      [screen.userId, screen.sessionId, datasetId],
    );
    this.#remember(screen, datasetId);
  }

  /** Throws ApiFailure 400 'No dataset loaded' where the tab has opened none, or it has been removed since. */
  async current(screen: Screen): Promise<DatasetManifest> {
    const datasetId = this.#remembered.get(keyOf(screen)) ?? (await this.#kept(screen));
    const active = datasetId === undefined ? undefined : await this.#catalogue.find(datasetId);
    if (!active) throw new ApiFailure(400, 'no_dataset_loaded', 'No dataset loaded. Open a dataset first.');
    return active;
  }

  async #kept({ userId, sessionId }: Screen): Promise<string | undefined> {
    const { rows } = await this.#database.pool.query<{ dataset_id: string }>(
      'select dataset_id from cellfolio.active_datasets where user_id = $1 and session_id = $2',
      [userId, sessionId],
    );
    return rows[0]?.dataset_id;
  }

  /** The embedded database belongs to this process alone, so that what it wrote last is what is there. */
  #remember(screen: Screen, datasetId: string): void {
    if (this.#database.kind !== 'embedded') return;
    const key = keyOf(screen);
    this.#remembered.delete(key);
    this.#remembered.set(key, datasetId);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > rememberedScreens && !oldest.done) this.#remembered.delete(oldest.value);
  }
}

const rememberedScreens = 10_000;

function keyOf({ userId, sessionId }: Screen): string {
  return `${userId}|${sessionId}`;
}
