import {
  type DownloadRequest,
  extensionOf,
  isDatasetFile,
  isPackedTar,
  type Job,
  type LinkedData,
  type LinkPreview,
  uploadKind,
  withoutExtension,
} from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { geoFile } from '../../../runtime/archives/geo.ts';
import {
  type Archives,
  type LinkedDataset,
  type LinkedDatasets,
  LinkFailed,
} from '../../../runtime/archives/linked-datasets.ts';
import { linkedDatasets } from '../../../runtime/archives/linked-datasets-of.ts';
import { addressOf, linkedFile } from '../../../runtime/archives/linked-file.ts';
import { remotePackedTar } from '../../../runtime/archives/packed-tar.ts';
import { fileNameOf, lockOwner, refuseTooMany, requirePlan } from '../caller-rules.ts';
import { type DownloadOrder, insertJob, jobOf } from '../job-table.ts';
import { plainName, plainText } from '../work/index.ts';
import type { Owner } from '../../../runtime/owners.ts';
import { limits } from '../../../runtime/limits/limits.ts';

export interface LinkRules {
  archives: Archives;
  /** Origins that may be on a private network: those configured by the operator. */
  mayBePrivate: (address: URL) => boolean;
}

interface UserLinksDeps extends LinkRules {
  database: Database;
  quotaBytes: number;
  wake: () => void;
}

interface Listed {
  link: string;
  linked: LinkedDatasets;
}

/** A user waits for the response, so a failing archive is retried once. */
const pauses = [1000];
/** Total time limit of an archive. */
const timeoutMilliseconds = 90_000;
const maxListed = 500;
/** Number of users whose last listed archive is cached. */
const maxKept = 50;
const packedTooLong = `The server has to read this whole archive to list its files, and that took longer than ${timeoutMilliseconds / 1000} seconds. Unpack it and upload the files you want, or paste the address of a plain .tar archive.`;
const maxDescription = 20_000;
const maxValues = 50;

/** Link requests of users: preview and download. Archives are queried anonymously. */
export class UserLinks {
  readonly #deps: UserLinksDeps;
  readonly #asking = new Set<string>();
  /** Listing of the archive that a user previewed last, so that it is not read again for its downloads. */
  readonly #listed = new Map<string, Listed>();

  constructor(deps: UserLinksDeps) {
    this.#deps = deps;
  }

  /** Throws ApiFailure 400, 403, 404, 422 or 429; the reason of the signal. */
  async preview(owner: Owner, link: string, signal: AbortSignal): Promise<LinkPreview> {
    await requirePlan(this.#deps.database.pool, owner);
    const { title, datasets, unreadable } = await this.#ask(owner, link, signal);
    return {
      title: plainText(title),
      datasets: datasets.slice(0, maxListed).map(shownDataset),
      left: Math.max(0, datasets.length - maxListed),
      unreadable: unreadable.slice(0, maxListed).map(plainName),
    };
  }

  /**
   * Queues a download of each dataset. The link is queried again, so that the server's response counts and not the
   * caller's. Throws ApiFailure 400, 403, 404, 422 or 429; the reason of the signal.
   */
  async download(owner: Owner, request: DownloadRequest, signal: AbortSignal): Promise<Job[]> {
    const { database, quotaBytes, wake } = this.#deps;
    await requirePlan(database.pool, owner);
    const { datasets } = await this.#ask(owner, request.link, signal, this.#listed.get(owner));
    const named = new Map(datasets.map((dataset) => [dataset.name, dataset]));
    const chosen = [...new Set(request.datasets)].map((name) => {
      const dataset = named.get(name);
      if (dataset !== undefined) return dataset;
      throw new ApiFailure(
        404,
        'linked_data_not_found',
        `The link no longer has '${plainName(name)}'. Show its contents again.`,
      );
    });
    const jobs = await database.transaction(async (client) => {
      await lockOwner(client, owner);
      await refuseTooMany(client, owner, chosen.length);
      await refuseTooMuch({ client, owner, quotaBytes }, chosen);
      const rows = [];
      for (const dataset of chosen) {
        rows.push(
          await insertJob(client, {
            owner,
            kind: 'download',
            fileIds: [],
            name: fileNameOf(request.file_name ?? ownName(dataset), 'downloaded'),
            request: { download: orderOf(dataset, request.description) },
          }),
        );
      }
      return rows.map(jobOf);
    });
    wake();
    return jobs;
  }

  async #ask(owner: Owner, input: string, signal: AbortSignal, listed?: Listed): Promise<LinkedDatasets> {
    const { archives, mayBePrivate } = this.#deps;
    const link = geoFile(input, archives.geoFiles)?.href ?? input;
    if (listed?.link === link) return listed.linked;
    if (this.#asking.has(owner))
      throw new ApiFailure(
        429,
        'link_under_way',
        'Another of your links is being read. Wait until it finishes.',
      );
    this.#asking.add(owner);
    const timeout = AbortSignal.timeout(timeoutMilliseconds);
    const within = AbortSignal.any([signal, timeout]);
    const isPacked = isPackedTar(URL.parse(link)?.pathname ?? '');
    try {
      const linked = isPacked
        ? await this.#packed(owner, link, within)
        : ((await linkedDatasets(link, archives, { signal: within, pauses, mayBePrivate })) ??
          (await linkedFile(link, { signal: within, mayBePrivate })));
      if (linked.datasets.length > 0) return linked;
      const files = linked.unreadable.slice(0, 8).map(plainName).join(', ');
      throw new LinkFailed(
        'unreadable',
        `${plainName(linked.title)} has no readable file: ${files === '' ? 'it has no files' : `its files are ${files}`}.`,
      );
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted)
        throw new ApiFailure(
          422,
          'link_unreadable',
          isPacked ? packedTooLong : 'The archive took too long to answer. Try again later.',
        );
      throw error instanceof LinkFailed ? refusalOf(error) : error;
    } finally {
      this.#asking.delete(owner);
    }
  }

  async #packed(owner: Owner, link: string, signal: AbortSignal): Promise<LinkedDatasets> {
    const { mayBePrivate, quotaBytes } = this.#deps;
    const context = { signal, pauses, mayBePrivate, maxPackedBytes: quotaBytes };
    const linked = await remotePackedTar(addressOf(link, mayBePrivate), context);
    this.#listed.delete(owner);
    this.#listed.set(owner, { link, linked });
    const [first] = this.#listed.keys();
    if (this.#listed.size > maxKept) this.#listed.delete(first!);
    return linked;
  }
}

const refusals = {
  'no-page': { status: 400, code: 'not_a_link' },
  'not-found': { status: 404, code: 'linked_data_not_found' },
  unreadable: { status: 422, code: 'link_unreadable' },
} as const;

function refusalOf(error: LinkFailed): ApiFailure {
  const { status, code } = refusals[error.reason];
  return new ApiFailure(status, code, plainText(error.message), { cause: error });
}

/** Throws ApiFailure 409 when the files exceed the quota. */
async function refuseTooMuch(
  {
    client,
    owner,
    quotaBytes,
  }: { client: Parameters<typeof lockOwner>[0]; owner: Owner; quotaBytes: number },
  chosen: readonly LinkedDataset[],
): Promise<void> {
  const { rows } = await client.query<{ bytes: string; files: number }>(
    `select coalesce(sum(file_size), 0) as bytes, count(*)::int as files
     from public.user_files where user_id = $1`,
    [owner],
  );
  const { bytes = '0', files = 0 } = rows[0] ?? {};
  const maxFiles = limits.files.value;
  const coming = chosen.reduce((sum, dataset) => sum + (bytesOf(dataset) ?? 0), 0);
  if (files + chosen.length > maxFiles)
    throw new ApiFailure(
      409,
      'quota_exceeded',
      `You have ${files} of at most ${maxFiles} files. Delete some, or choose fewer datasets.`,
    );
  if (Number(bytes) + coming > quotaBytes)
    throw new ApiFailure(
      409,
      'quota_exceeded',
      'The files exceed your free storage. Delete some files, or choose fewer datasets.',
    );
}

function bytesOf({ files }: LinkedDataset): number | null {
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? Number.NaN), 0);
  return Number.isNaN(bytes) ? null : bytes;
}

function ownName({ entry, name }: LinkedDataset): string {
  return plainName(entry.name ?? withoutExtension(name));
}

function descriptionOf({ entry }: LinkedDataset): string {
  return plainText(entry.description ?? '').slice(0, maxDescription);
}

function shownDataset(dataset: LinkedDataset): LinkedData {
  const { name, files, cells, organism, licence, entry, values } = dataset;
  const { disease, subdisease, category1, patientCount } = entry;
  const facts = [
    ['Organism', organism],
    ['Disease', disease],
    ['Tissue', subdisease],
    ['Assay', category1],
    ['Donors', patientCount?.toString()],
    ['License', licence],
    ...[...values].filter(([key]) => !['disease', 'tissue'].includes(key)),
  ] as const;
  return {
    name,
    files: files.map((file) => ({ name: plainName(file.name), bytes: file.bytes ?? null })),
    bytes: bytesOf(dataset),
    cells: cells ?? null,
    file_name: fileNameOf(ownName(dataset), 'downloaded'),
    description: descriptionOf(dataset),
    facts: facts
      .flatMap(([key, value]) => (value ? [{ name: plainName(key), value: plainName(value) }] : []))
      .slice(0, maxValues),
  };
}

function orderOf(dataset: LinkedDataset, description: string | undefined): DownloadOrder {
  const { files, values, entry, organism } = dataset;
  const fields = [
    ...values,
    ...(entry.disease ? [['disease', entry.disease] as const] : []),
    ...(entry.subdisease ? [['tissue', entry.subdisease] as const] : []),
    ...(organism ? [['organism', organism] as const] : []),
  ];
  return {
    files: files.map(({ address, name, part }) => ({
      address,
      name: nameInStore(name, files.length),
      part,
    })),
    description: description ?? descriptionOf(dataset),
    values: Object.fromEntries(fields.slice(0, maxValues).map(([key, value]) => [key, plainName(value)])),
  };
}

/** Archives also have tables of genes and cells named .tsv or .txt, which are stored as .csv. */
function nameInStore(name: string, files: number): string {
  const own = fileNameOf(name, 'file').slice(-200);
  if (files > 1 || isDatasetFile(own)) return own;
  if (/\.txt(\.gz)?$/i.test(own)) return own.replace(/\.txt(\.gz)?$/i, '.csv$1');
  const ofMatrix = /(?:barcodes|features|genes)\.tsv(?:\.gz)?$/i.test(own);
  return uploadKind(own)?.extension === '.tsv' && !ofMatrix && extensionOf(own) !== ''
    ? own.replace(/\.tsv(\.gz)?$/i, '.csv$1')
    : own;
}
