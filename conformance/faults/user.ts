import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { smallTrio } from '../small-trio.ts';
import { ask, type Content, questions } from './figures.ts';
import type { Findings } from './findings.ts';
import type { Kept, KeptFile, Ledger } from './ledger.ts';
import { type PatientClient, Refused, type Settled, textOf } from './patient-client.ts';
import { uploadResumably } from './resumable-upload.ts';

export interface UserParts {
  readonly client: PatientClient;
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly random: () => number;
  /** The file that everybody uploads. */
  readonly pbmc: Buffer;
  /** Answers of a calm day, by content and question. */
  readonly expected: ReadonlyMap<string, string>;
  /** Whether no more is to be begun. */
  readonly isOver: () => boolean;
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

export const catalogued = 'pbmc.h5ad';
const mostFiles = 8;

/** What one user does all day: one thing after the other, in an order that the seed decides. */
export class User {
  readonly #parts: UserParts;
  /** Contents of files whose dataset was ready once. */
  readonly #ready = new Map<string, Content>();
  #made = 0;

  constructor(parts: UserParts) {
    this.#parts = parts;
  }

  get ledger(): Ledger {
    return this.#parts.ledger;
  }

  async live(): Promise<void> {
    const { findings, ledger } = this.#parts;
    const plan: [number, string, () => Promise<void>][] = [
      [30, 'look at the catalogue', () => this.#look(catalogued, 'catalogue')],
      [12, 'look at an own dataset', () => this.#lookAtOwn()],
      [10, 'save a subset', () => this.#saveSubset()],
      [6, 'change a subset', () => this.#changeSubset()],
      [3, 'delete a subset', () => this.#dropRow('subset_metadata', 'id', ledger.subsets)],
      [8, 'save an image', () => this.#saveImage()],
      [4, 'delete an image', () => this.#dropRow('generated_images', 'image_id', ledger.images)],
      [6, 'upload noise', () => this.#uploadNoise()],
      [3, 'upload a dataset', async () => void (await this.uploadPbmc())],
      [2, 'convert', async () => void (await this.uploadTrio())],
      [2, 'build again', () => this.#buildAgain()],
      [1, 'cancel', () => this.#cancel()],
      [4, 'delete a file', () => this.#deleteFile()],
      [3, 'make a key', () => this.#makeKey()],
      [3, 'use a key', () => this.#useKey()],
      [1, 'revoke a key', () => this.#revokeKey()],
      [4, 'refresh', () => this.#parts.client.refresh()],
      [2, 'sign in', () => this.#parts.client.signIn()],
    ];
    const whole = plan.reduce((sum, [weight]) => sum + weight, 0);
    while (!this.#parts.isOver()) {
      let at = this.#parts.random() * whole;
      const [, what, act] = plan.find(([weight]) => (at -= weight) < 0) ?? plan[0]!;
      try {
        await act();
        findings.count(`did: ${what}`);
      } catch (error) {
        findings.add('unclean', `${what} came to nothing: ${reasonOf(error)}`, String(error).slice(0, 400));
      }
      await pause(50 + 250 * this.#parts.random());
    }
  }

  // Figures

  async #look(datasetId: string, content: Content): Promise<void> {
    const { client, findings, expected } = this.#parts;
    const question = this.#pick(questions[content]);
    const tab = `tab-${Math.floor(this.#parts.random() * 4)}`;
    try {
      const digest = await ask(client, tab, datasetId, question);
      findings.count('figures compared');
      const known = expected.get(`${content} ${question.name}`);
      if (digest !== known) findings.add('wrong', `${content}: ${question.name}`, `${digest} for ${known}`);
    } catch (error) {
      if (error instanceof Refused && this.#mayBeGone(datasetId, error.answer)) return;
      throw error;
    }
  }

  /** A dataset that is built anew or whose job failed. */
  #mayBeGone(datasetId: string, answer: Settled): boolean {
    if (datasetId === catalogued || answer.status !== 409) return false;
    this.#ready.delete(datasetId.slice('custom:'.length));
    return /dataset_not_ready|dataset_changed/.test(textOf(answer));
  }

  async #lookAtOwn(): Promise<void> {
    await this.#learn();
    const ready = [...this.#ready].filter(([id]) => this.ledger.files.get(id)?.state === 'there');
    if (ready.length === 0) return;
    const [id, content] = this.#pick(ready);
    await this.#look(`custom:${id}`, content);
  }

  /** Which datasets are ready, and which files conversions have made; everything acknowledged must be listed. */
  async #learn(): Promise<OwnFiles> {
    const { client, findings } = this.#parts;
    const before = [...this.ledger.files.values()].filter(({ state }) => state === 'there');
    const own = await client.json<OwnFiles>('/api/own-files');
    const listed = new Map(own.files.map((file) => [file.file_id, file]));
    for (const { id, kind, state, result_file_id: made } of own.jobs) {
      const converted = kind === 'convert' && state === 'done' && this.ledger.jobs.has(id);
      if (converted && made !== null && !this.ledger.files.has(made)) await this.#learnFile(made);
    }
    for (const { id, contents } of before) {
      if (!listed.has(id)) findings.add('lost', 'a file is not listed among its owner’s', id);
      const kind = contents[0]?.kind;
      if (listed.get(id)?.dataset?.state === 'ready' && kind !== undefined && kind !== 'noise') {
        this.#ready.set(id, kind);
      }
    }
    return own;
  }

  /** A file that a conversion made. */
  async #learnFile(id: string): Promise<void> {
    const path = `/rest/v1/user_files?id=eq.${id}&select=file_path`;
    const [row] = await this.#parts.client.json<{ file_path: string }[]>(path);
    if (!row) return this.#parts.findings.add('lost', 'the file of a conversion is not there', id);
    const content: KeptFile = { path: row.file_path, digest: '', kind: 'trio' };
    this.ledger.files.set(id, { id, contents: [content], state: 'there', doubtful: false });
  }

  // Rows

  async #saveSubset(): Promise<void> {
    const value = this.#number();
    await this.#insert(this.ledger.subsets, randomUUID(), value, (id) => ({
      path: '/rest/v1/subset_metadata',
      json: { id, user_id: this.#parts.client.userId, subset_name: `subset ${value}`, percentile: value },
    }));
  }

  async #saveImage(): Promise<void> {
    if (count(this.ledger.images) > 20)
      return this.#dropRow('generated_images', 'image_id', this.ledger.images);
    const data = Buffer.alloc(20_000 + (this.#number() % 20_000), String(this.#number())).toString('base64');
    await this.#insert(this.ledger.images, randomUUID(), digestOf(data), (image_id) => ({
      path: '/rest/v1/generated_images',
      json: {
        image_id,
        user_id: this.#parts.client.userId,
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
    const answer = await this.#parts.client.call(path, { method: 'POST', json });
    const there = answer.status === 201 || (answer.status === 409 && answer.doubtful);
    if (!there) throw new Refused(path, answer);
    kept.state = 'there';
    kept.doubtful = answer.doubtful;
  }

  async #changeSubset(): Promise<void> {
    const kept = this.#some(this.ledger.subsets);
    if (!kept) return;
    const value = this.#number();
    const before = kept.contents;
    kept.contents = [...before, value];
    const answer = await this.#parts.client.call(`/rest/v1/subset_metadata?id=eq.${kept.id}`, {
      method: 'PATCH',
      json: { percentile: value },
    });
    if (answer.status !== 204) throw new Refused('/rest/v1/subset_metadata', answer);
    // A repeated attempt of unknown end may come to its end later, after other changes.
    kept.contents = answer.doubtful || kept.doubtful ? kept.contents : [value];
    kept.doubtful ||= answer.doubtful;
  }

  async #dropRow<T>(table: string, column: string, map: Map<string, Kept<T>>): Promise<void> {
    const kept = this.#some(map);
    if (!kept) return;
    await this.#delete(table, column, kept);
  }

  async #delete(table: string, column: string, kept: Kept<unknown>): Promise<void> {
    kept.state = 'unknown';
    const path = `/rest/v1/${table}?${column}=eq.${kept.id}`;
    const answer = await this.#parts.client.call(path, { method: 'DELETE' });
    if (answer.status !== 204) throw new Refused(path, answer);
    kept.state = 'gone';
  }

  // Files

  async #uploadNoise(): Promise<void> {
    if (count(this.ledger.files) >= mostFiles) return this.#deleteFile();
    const { random } = this.#parts;
    const large = random() < 0.15;
    const size = large
      ? 9_000_000 + Math.floor(random() * 4_000_000)
      : 20_000 + Math.floor(random() * 600_000);
    // Text, so that what looks at it sees lines.
    const bytes = Buffer.alloc(size, `${this.#number()}\tnoise\t${this.#number()}\n`);
    await this.#store(bytes, 'noise', 'noise.tsv', large ? 3_000_000 : 150_000, random() < 0.5);
  }

  async uploadPbmc(): Promise<string | undefined> {
    if (count(this.ledger.files) >= mostFiles) return void (await this.#deleteFile());
    return this.#store(this.#parts.pbmc, 'pbmc', 'pbmc.h5ad', 500_000, this.#parts.random() < 0.7);
  }

  async uploadTrio(): Promise<string | undefined> {
    if (count(this.ledger.files) >= mostFiles - 3) return void (await this.#deleteFile());
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
    const { client, findings, ledger } = this.#parts;
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
    const { client } = this.#parts;
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

  async #deleteFile(): Promise<void> {
    const { client, ledger } = this.#parts;
    const kept = this.#some(ledger.files);
    if (!kept) return;
    this.#ready.delete(kept.id);
    await this.#delete('user_files', 'id', kept);
    const { path } = kept.contents[0]!;
    ledger.doubtfulObjects.add(path);
    const answer = await client.call('/storage/v1/object/user-files', {
      method: 'DELETE',
      json: { prefixes: [path] },
    });
    if (answer.status !== 200) throw new Refused('/storage/v1/object/user-files', answer);
    ledger.doubtfulObjects.delete(path);
  }

  // Jobs

  async #startJob(kind: 'convert' | 'build', path: string, json: unknown): Promise<string | undefined> {
    const { client, ledger } = this.#parts;
    const answer = await client.call(path, { method: 'POST', json });
    if (answer.status === 409 && answer.doubtful) return undefined;
    // A file of another lane of the same user, deleted meanwhile.
    if (answer.status === 404 || answer.status === 429) return undefined;
    if (answer.status !== 202) throw new Refused(path, answer);
    const { job } = JSON.parse(textOf(answer)) as { job: { id: string } };
    ledger.jobs.set(job.id, { kind, cancelled: false });
    return job.id;
  }

  async #buildAgain(): Promise<void> {
    const files = [...this.ledger.files.values()].filter(
      ({ state, contents }) => state === 'there' && contents[0]?.kind === 'pbmc',
    );
    if (files.length === 0) return;
    const { id } = this.#pick(files);
    // The builds before it give way.
    await this.#startJob('build', `/api/files/${id}/build`, {});
  }

  async #cancel(): Promise<void> {
    const { jobs } = await this.#learn();
    const open = jobs.filter(
      ({ state, kind }) => (state === 'queued' || state === 'running') && kind !== 'inspect',
    );
    if (open.length === 0) return;
    const { id } = this.#pick(open);
    const known = this.ledger.jobs.get(id);
    if (known) known.cancelled = true;
    await this.#parts.client.json(`/api/jobs/${id}/cancel`, { method: 'POST', json: {} });
  }

  // Keys

  async #makeKey(): Promise<void> {
    const { client, ledger } = this.#parts;
    if ([...ledger.keys.values()].filter(({ revoked }) => !revoked).length > 4) return this.#revokeKey();
    const path = '/rest/v1/rpc/create_api_key';
    const answer = await client.call(path, { method: 'POST', json: { key_name: `key ${this.#number()}` } });
    if (answer.status === 409) return;
    if (answer.status !== 200) throw new Refused(path, answer);
    const told = JSON.parse(textOf(answer)) as { id: string; key: string } | { id: string; key: string }[];
    const made = Array.isArray(told) ? told[0]! : told;
    ledger.keys.set(made.id, { key: made.key, revoked: false });
  }

  async #useKey(): Promise<void> {
    const keys = [...this.ledger.keys.values()];
    if (keys.length === 0) return;
    const { key, revoked } = this.#pick(keys);
    const answer = await this.#parts.client.call('/api/own-files', {
      anonymous: true,
      headers: { 'x-api-key': key },
    });
    if (revoked && answer.status === 200) {
      this.#parts.findings.count('revoked keys that still opened something for a moment');
    } else if (!revoked && answer.status !== 200) {
      this.#parts.findings.add(
        'lost',
        `a personal key is refused: ${answer.status}`,
        textOf(answer).slice(0, 200),
      );
    }
  }

  async #revokeKey(): Promise<void> {
    const [id, known] = [...this.ledger.keys].find(([, { revoked }]) => !revoked) ?? [];
    if (id === undefined || !known) return;
    const path = '/rest/v1/rpc/revoke_api_key';
    const answer = await this.#parts.client.call(path, { method: 'POST', json: { key_id: id } });
    if (answer.status !== 200) throw new Refused(path, answer);
    known.revoked = true;
  }

  // Chance

  #number(): number {
    return Math.floor(this.#parts.random() * 1e9);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#parts.random() * list.length)]!;
  }

  #some<T>(map: Map<string, Kept<T>>): Kept<T> | undefined {
    const there = [...map.values()].filter(({ state }) => state === 'there');
    return there.length === 0 ? undefined : this.#pick(there);
  }
}

export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function count(map: Map<string, Kept<unknown>>): number {
  return [...map.values()].filter(({ state }) => state !== 'gone').length;
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) {
    const code = /"(?:code|error_code)":\s*"([^"]+)"/.exec(textOf(error.answer))?.[1];
    return `${error.answer.status} ${code ?? ''}`;
  }
  return (error as Error).name;
}
