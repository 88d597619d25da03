import { smallTrio } from '../../conformance/cluster.ts';
import {
  type Chance,
  digestOf,
  type Findings,
  countOf,
  type KeptFile,
  type Ledger,
  type Kept,
} from './ledger.ts';
import type { Content } from './user.ts';
import { type PatientClient, Refused, textOf, uploadResumably } from './patient-client.ts';
import { randomUUID } from 'node:crypto';

interface FileDeps {
  readonly client: PatientClient;
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly chance: Chance;
  readonly rows: UserRows;
  /** The file that everybody uploads. */
  readonly pbmc: Buffer;
}

interface OwnFiles {
  readonly files: readonly {
    readonly file_id: string;
    readonly dataset: { readonly state: string } | null;
  }[];
  readonly jobs: readonly {
    readonly id: string;
    readonly kind: string;
    readonly state: string;
    readonly result_file_id: string | null;
  }[];
}

const mostFiles = 8;

/** Uploads, and the jobs that follow from them. */
export class UserFiles {
  readonly #deps: FileDeps;
  /** Contents of files whose dataset was ready once. */
  readonly ready = new Map<string, Content>();
  #made = 0;

  constructor(deps: FileDeps) {
    this.#deps = deps;
  }

  async uploadNoise(): Promise<void> {
    if (countOf(this.#deps.ledger.files) >= mostFiles) return this.deleteFile();
    const { chance } = this.#deps;
    const large = chance.share() < 0.15;
    const size = large
      ? 9_000_000 + Math.floor(chance.share() * 4_000_000)
      : 20_000 + Math.floor(chance.share() * 600_000);
    // Text, so that what looks at it sees lines.
    const bytes = Buffer.alloc(size, `${this.#deps.chance.number()}\tnoise\t${this.#deps.chance.number()}\n`);
    await this.#store(bytes, 'noise', 'noise.tsv', large ? 3_000_000 : 150_000, chance.share() < 0.5);
  }

  async uploadPbmc(): Promise<string | undefined> {
    if (countOf(this.#deps.ledger.files) >= mostFiles) return void (await this.deleteFile());
    return this.#store(this.#deps.pbmc, 'pbmc', 'pbmc.h5ad', 500_000, this.#deps.chance.share() < 0.7);
  }

  async uploadTrio(): Promise<string | undefined> {
    if (countOf(this.#deps.ledger.files) >= mostFiles - 3) return void (await this.deleteFile());
    const ids: string[] = [];
    for (const [name, text] of Object.entries(smallTrio)) {
      ids.push(await this.#store(Buffer.from(text), 'noise', name, 100_000, false));
    }
    return this.#startJob('convert', '/api/convert', { file_ids: ids, file_name: 'trio' });
  }

  async #store(
    bytes: Buffer,
    kind: KeptFile['kind'],
    name: string,
    chunkBytes: number,
    resumably: boolean,
  ): Promise<string> {
    const { client, findings, ledger } = this.#deps;
    const path = `${client.userId}/${(this.#made += 1)}_${name}`;
    ledger.doubtfulObjects.add(path);
    if (resumably) await uploadResumably({ client, findings, path, bytes, chunkBytes });
    else {
      const target = `/storage/v1/object/user-files/${path}`;
      const answer = await client.call(target, {
        method: 'POST',
        bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
      const there = answer.status === 200 || (answer.doubtful && /Duplicate/.test(textOf(answer)));
      if (!there) throw new Refused(target, answer);
    }
    ledger.doubtfulObjects.delete(path);
    const row = { user_id: client.userId, file_name: name, original_filename: name, file_path: path };
    const { id, doubtful } = await this.#listFile({ ...row, file_size: bytes.length });
    const content: KeptFile = { path, digest: digestOf(bytes), kind };
    ledger.files.set(id, { id, contents: [content], state: 'there', doubtful });
    return id;
  }

  /** The database chooses the id of a file; a path is listed once. */
  async #listFile(row: {
    readonly file_path: string;
    readonly file_size: number;
  }): Promise<{ id: string; doubtful: boolean }> {
    const { client } = this.#deps;
    const path = '/rest/v1/user_files';
    const answer = await client.call(path, {
      method: 'POST',
      json: row,
      headers: { prefer: 'return=representation' },
    });
    const { doubtful } = answer;
    if (answer.status === 201)
      return { id: (JSON.parse(textOf(answer)) as { id: string }[])[0]!.id, doubtful };
    if (answer.status !== 409 || !doubtful) throw new Refused(path, answer);
    const query = `${path}?select=id&file_path=eq.${encodeURIComponent(row.file_path)}`;
    const [found] = await client.json<{ id: string }[]>(query);
    if (!found) throw new Error('A row that is said to be there is not.');
    return { id: found.id, doubtful };
  }

  async deleteFile(): Promise<void> {
    const { client, ledger } = this.#deps;
    const kept = this.#deps.chance.some(ledger.files);
    if (!kept) return;
    this.ready.delete(kept.id);
    await this.#deps.rows.remove('user_files', 'id', kept);
    const { path } = kept.contents[0]!;
    ledger.doubtfulObjects.add(path);
    const answer = await client.call('/storage/v1/object/user-files', {
      method: 'DELETE',
      json: { prefixes: [path] },
    });
    if (answer.status !== 200) throw new Refused('/storage/v1/object/user-files', answer);
    ledger.doubtfulObjects.delete(path);
  }

  async #startJob(kind: 'convert' | 'build', path: string, json: unknown): Promise<string | undefined> {
    const { client, ledger } = this.#deps;
    const answer = await client.call(path, { method: 'POST', json });
    if (answer.status === 409 && answer.doubtful) return undefined;
    // A file of another lane of the same user, deleted meanwhile.
    if (answer.status === 404 || answer.status === 429) return undefined;
    if (answer.status !== 202) throw new Refused(path, answer);
    const { job } = JSON.parse(textOf(answer)) as { job: { id: string } };
    ledger.jobs.set(job.id, { kind, cancelled: false });
    return job.id;
  }

  async buildAgain(): Promise<void> {
    const files = [...this.#deps.ledger.files.values()].filter(
      ({ state, contents }) => state === 'there' && contents[0]?.kind === 'pbmc',
    );
    if (files.length === 0) return;
    const { id } = this.#deps.chance.pick(files);
    // The builds before it give way.
    await this.#startJob('build', `/api/files/${id}/build`, {});
  }

  async cancel(): Promise<void> {
    const { jobs } = await this.learn();
    const open = jobs.filter(
      ({ state, kind }) => (state === 'queued' || state === 'running') && kind !== 'inspect',
    );
    if (open.length === 0) return;
    const { id } = this.#deps.chance.pick(open);
    const known = this.#deps.ledger.jobs.get(id);
    if (known) known.cancelled = true;
    await this.#deps.client.json(`/api/jobs/${id}/cancel`, { method: 'POST', json: {} });
  }

  /** Which datasets are ready, and which files conversions have made; everything acknowledged must be listed. */
  async learn(): Promise<OwnFiles> {
    const { client, findings } = this.#deps;
    const before = [...this.#deps.ledger.files.values()].filter(({ state }) => state === 'there');
    const own = await client.json<OwnFiles>('/api/own-files');
    const listed = new Map(own.files.map((file) => [file.file_id, file]));
    for (const { id, kind, state, result_file_id: made } of own.jobs) {
      const converted = kind === 'convert' && state === 'done' && this.#deps.ledger.jobs.has(id);
      if (converted && made !== null && !this.#deps.ledger.files.has(made)) await this.#learnFile(made);
    }
    for (const { id, contents } of before) {
      if (!listed.has(id)) findings.add('lost', 'a file is not listed among its owner’s', id);
      const kind = contents[0]?.kind;
      if (listed.get(id)?.dataset?.state === 'ready' && kind !== undefined && kind !== 'noise') {
        this.ready.set(id, kind);
      }
    }
    return own;
  }

  /** A file that a conversion made. */
  async #learnFile(id: string): Promise<void> {
    const path = `/rest/v1/user_files?id=eq.${id}&select=file_path`;
    const [row] = await this.#deps.client.json<{ file_path: string }[]>(path);
    if (!row) return this.#deps.findings.add('lost', 'the file of a conversion is not there', id);
    const content: KeptFile = { path: row.file_path, digest: '', kind: 'trio' };
    this.#deps.ledger.files.set(id, { id, contents: [content], state: 'there', doubtful: false });
  }
}

interface RowDeps {
  readonly client: PatientClient;
  readonly ledger: Ledger;
  readonly chance: Chance;
}

/** Subsets and images: rows whose ids their user chooses. */
export class UserRows {
  readonly #deps: RowDeps;

  constructor(deps: RowDeps) {
    this.#deps = deps;
  }

  async saveSubset(): Promise<void> {
    const value = this.#deps.chance.number();
    await this.#insert(this.#deps.ledger.subsets, randomUUID(), value, (id) => ({
      path: '/rest/v1/subset_metadata',
      json: { id, user_id: this.#deps.client.userId, subset_name: `subset ${value}`, percentile: value },
    }));
  }

  async saveImage(): Promise<void> {
    if (countOf(this.#deps.ledger.images) > 20) return this.dropImage();
    const data = Buffer.alloc(
      20_000 + (this.#deps.chance.number() % 20_000),
      String(this.#deps.chance.number()),
    ).toString('base64');
    await this.#insert(this.#deps.ledger.images, randomUUID(), digestOf(data), (image_id) => ({
      path: '/rest/v1/generated_images',
      json: {
        image_id,
        user_id: this.#deps.client.userId,
        title: 'x',
        image_data: data,
        image_type: 'gene',
      },
    }));
  }

  async #insert<T>(
    map: Map<string, Kept<T>>,
    id: string,
    content: T,
    request: (id: string) => { path: string; json: object },
  ): Promise<void> {
    const { path, json } = request(id);
    const kept: Kept<T> = { id, contents: [content], state: 'unknown', doubtful: true };
    map.set(id, kept);
    const answer = await this.#deps.client.call(path, { method: 'POST', json });
    const there = answer.status === 201 || (answer.status === 409 && answer.doubtful);
    if (!there) throw new Refused(path, answer);
    kept.state = 'there';
    kept.doubtful = answer.doubtful;
  }

  async changeSubset(): Promise<void> {
    const kept = this.#deps.chance.some(this.#deps.ledger.subsets);
    if (!kept) return;
    const value = this.#deps.chance.number();
    const before = kept.contents;
    kept.contents = [...before, value];
    const answer = await this.#deps.client.call(`/rest/v1/subset_metadata?id=eq.${kept.id}`, {
      method: 'PATCH',
      json: { percentile: value },
    });
    if (answer.status !== 204) throw new Refused('/rest/v1/subset_metadata', answer);
    // A repeated attempt of unknown end may come to its end later, after other changes.
    kept.contents = answer.doubtful || kept.doubtful ? kept.contents : [value];
    kept.doubtful ||= answer.doubtful;
  }

  dropSubset(): Promise<void> {
    return this.#dropSome('subset_metadata', 'id', this.#deps.ledger.subsets);
  }

  dropImage(): Promise<void> {
    return this.#dropSome('generated_images', 'image_id', this.#deps.ledger.images);
  }

  async #dropSome<T>(table: string, column: string, map: ReadonlyMap<string, Kept<T>>): Promise<void> {
    const kept = this.#deps.chance.some(map);
    if (kept) await this.remove(table, column, kept);
  }

  /** Says that it is gone when that was acknowledged. */
  async remove(table: string, column: string, kept: Kept<unknown>): Promise<void> {
    kept.state = 'unknown';
    const path = `/rest/v1/${table}?${column}=eq.${kept.id}`;
    const answer = await this.#deps.client.call(path, { method: 'DELETE' });
    if (answer.status !== 204) throw new Refused(path, answer);
    kept.state = 'gone';
  }
}
