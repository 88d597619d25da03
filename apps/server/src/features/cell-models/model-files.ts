import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogisticModel, LogisticModelError, readLogisticModel } from '@cellfolio/analysis';
import type { CellModel } from '@cellfolio/contract';
import { quotedHead } from '@cellfolio/model';
import { ByteCache } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { type Task, taskKind } from '../../runtime/compute/task.ts';

/** Reads a model file off the event loop: some hold 20 MB of numbers. */
interface ReadModelTask extends Task<LogisticModel | { problem: string }> {
  kind: 'read-cell-model';
  isLong: true;
  path: string;
}

const cacheBytes = 128 * 1024 * 1024;
const maxFileBytes = 256 * 1024 * 1024;
const ending = '.json';

interface ReadModel {
  model: LogisticModel;
  version: string;
}

/** Whether a folder has files that may be models; checked once, at server start. */
export function hasModels(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(ending));
}

export class ModelFiles {
  readonly #folder: string;
  readonly #compute: Compute;
  readonly #read = new ByteCache<string, ReadModel>(cacheBytes, ({ model }) => model.coefficients.byteLength);

  /** The folder may be missing. */
  constructor(folder: string, compute: Compute) {
    this.#folder = folder;
    this.#compute = compute;
  }

  /** Usable models, and invalid files with the reason; empty when the folder does not exist. */
  async all(call: CallContext): Promise<{
    models: CellModel[];
    problems: { file: string; problem: string }[];
  }> {
    const models: CellModel[] = [];
    const problems: { file: string; problem: string }[] = [];
    for (const file of await this.#files()) {
      // One after the other: a few large files, which are kept.
      // oxlint-disable-next-line no-await-in-loop
      const read = await this.#open(file, call).catch((error: unknown) => {
        if (error instanceof ApiFailure) return { problem: error.message };
        throw error;
      });
      if ('problem' in read) problems.push({ file, problem: read.problem });
      else models.push(headOf(file, read.model));
    }
    return { models, problems };
  }

  /** Throws ApiFailure 400 for an unknown file, 409 for a file that is not a model. */
  async get(file: string, call: CallContext): Promise<ReadModel> {
    const files = await this.#files();
    if (files.includes(file)) return this.#open(file, call);
    const offered =
      files.length === 0 ? 'None is installed.' : `Choose one of: ${files.slice(0, 20).join(', ')}.`;
    throw new ApiFailure(400, 'unknown_model', `There is no model ${quotedHead(file, 80)}. ${offered}`, {
      details: [{ field: 'model', problem: 'is not installed' }],
    });
  }

  async #files(): Promise<string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      },
    );
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith(ending))
      .map(({ name }) => name)
      .sort();
  }

  async #open(file: string, call: CallContext): Promise<ReadModel> {
    const path = join(this.#folder, file);
    const { size, mtimeMs } = await stat(path);
    const version = `${size}-${mtimeMs}`;
    const cached = this.#read.get(file);
    if (cached?.version === version) return cached;
    if (size > maxFileBytes) throw noModel(file, `It has more than ${maxFileBytes / 1024 / 1024} MiB.`);
    const model = await this.#compute.run<ReadModelTask>(
      { kind: 'read-cell-model', isLong: true, path },
      call,
    );
    if ('problem' in model) throw noModel(file, model.problem);
    const read = { model, version };
    this.#read.set(file, read);
    return read;
  }
}

function noModel(file: string, problem: string): ApiFailure {
  return new ApiFailure(
    409,
    'model_not_readable',
    `The model ${quotedHead(file, 80)} cannot be read: ${problem} Contact the operator of this server.`,
  );
}

export function headOf(file: string, model: LogisticModel): CellModel {
  const { name, source, licence, species, types, genes } = model;
  return { file, name, source, licence, species, type_count: types.length, gene_count: genes.length };
}

export const readModelTask = taskKind<ReadModelTask>('read-cell-model', async ({ path }) => {
  try {
    return readLogisticModel(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof LogisticModelError) return { problem: error.message };
    throw error;
  }
});
