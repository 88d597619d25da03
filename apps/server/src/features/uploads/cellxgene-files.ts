import type { CellxgeneChoices, Job } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Owner } from '../../runtime/owners.ts';
import { checkDataset } from '../cellxgene/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { fileNameOf, lockOwner, refuseTooMany, requirePlan } from './caller-rules.ts';
import { insertJob, jobOf } from './job-table.ts';

interface CellxgeneFilesDeps {
  database: Database;
  datasets: OpenDatasets;
  /** Wakes this process's job worker, if it runs one. */
  wake: () => void;
}

export class CellxgeneFiles {
  readonly #deps: CellxgeneFilesDeps;

  constructor(deps: CellxgeneFilesDeps) {
    this.#deps = deps;
  }

  /** Queues the making of a file for CELLxGENE Discover. Throws ApiFailure 403, 422 or 429. */
  async begin(
    owner: Owner,
    selection: Selection,
    { name, choices }: { name: string; choices: CellxgeneChoices },
    signal: AbortSignal,
  ): Promise<Job> {
    const { database, datasets, wake } = this.#deps;
    await requirePlan(database.pool, owner);
    const { manifest, own = [] } = selection;
    const { check } = await checkDataset(await datasets.get(datasetOf(selection)), choices, signal);
    if (!check.ready)
      throw new ApiFailure(
        422,
        'not_ready',
        'The dataset does not have what the schema asks for yet. Fill in what is missing.',
      );
    const row = await database.transaction(async (client) => {
      await lockOwner(client, owner);
      await refuseTooMany(client, owner);
      return insertJob(client, {
        owner,
        kind: 'cellxgene',
        fileIds: [],
        name: fileNameOf(name, manifest.catalogue.name),
        request: {
          cellxgene: {
            dataset: { id: manifest.id, version: manifest.version, name: manifest.catalogue.name },
            choices,
            annotations: own.map(({ id, revision, name: own }) => ({ id, revision, name: own })),
          },
        },
      });
    });
    wake();
    return jobOf(row);
  }
}
