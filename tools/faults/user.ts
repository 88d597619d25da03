import { setTimeout as pause } from 'node:timers/promises';
import { Chance, type Findings, type Ledger } from './ledger.ts';
import { type PatientClient, Refused, type Settled, textOf } from './patient-client.ts';
import { UserFiles, UserRows } from './user-data.ts';
import { createHash } from 'node:crypto';

interface UserDeps {
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

export const catalogued = 'pbmc.h5ad';

/** What one user does all day: one thing after the other, in an order that the seed decides. */
export class User {
  readonly #deps: UserDeps & { readonly chance: Chance };
  readonly #rows: UserRows;
  readonly files: UserFiles;

  constructor(deps: UserDeps) {
    this.#deps = { ...deps, chance: new Chance(deps.random) };
    this.#rows = new UserRows(this.#deps);
    this.files = new UserFiles({ ...this.#deps, rows: this.#rows });
  }

  async live(): Promise<void> {
    const { findings } = this.#deps;
    const { files } = this;
    const rows = this.#rows;
    const plan: [number, string, () => Promise<void>][] = [
      [30, 'look at the catalogue', () => this.#look(catalogued, 'catalogue')],
      [12, 'look at an own dataset', () => this.#lookAtOwn()],
      [10, 'save a subset', () => rows.saveSubset()],
      [6, 'change a subset', () => rows.changeSubset()],
      [3, 'delete a subset', () => rows.dropSubset()],
      [8, 'save an image', () => rows.saveImage()],
      [4, 'delete an image', () => rows.dropImage()],
      [6, 'upload noise', () => files.uploadNoise()],
      [3, 'upload a dataset', async () => void (await files.uploadPbmc())],
      [2, 'convert', async () => void (await files.uploadTrio())],
      [2, 'build again', () => files.buildAgain()],
      [1, 'cancel', () => files.cancel()],
      [4, 'delete a file', () => files.deleteFile()],
      [3, 'make a key', () => this.#makeKey()],
      [3, 'use a key', () => this.#useKey()],
      [1, 'revoke a key', () => this.#revokeKey()],
      [4, 'refresh', () => this.#deps.client.refresh()],
      [2, 'sign in', () => this.#deps.client.signIn()],
    ];
    const whole = plan.reduce((sum, [weight]) => sum + weight, 0);
    while (!this.#deps.isOver()) {
      let at = this.#deps.chance.share() * whole;
      const [, what, act] = plan.find(([weight]) => (at -= weight) < 0) ?? plan[0]!;
      try {
        await act();
        findings.count(`did: ${what}`);
      } catch (error) {
        findings.add('unclean', `${what} came to nothing: ${reasonOf(error)}`, String(error).slice(0, 400));
      }
      await pause(50 + 250 * this.#deps.chance.share());
    }
  }

  // Figures

  async #look(datasetId: string, content: Content): Promise<void> {
    const { client, findings, expected } = this.#deps;
    const question = this.#deps.chance.pick(questions[content]);
    const tab = `tab-${Math.floor(this.#deps.chance.share() * 4)}`;
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
    this.files.ready.delete(datasetId.slice('custom:'.length));
    return /dataset_not_ready|dataset_changed/.test(textOf(answer));
  }

  async #lookAtOwn(): Promise<void> {
    await this.files.learn();
    const ready = [...this.files.ready].filter(([id]) => this.#deps.ledger.files.get(id)?.state === 'there');
    if (ready.length === 0) return;
    const [id, content] = this.#deps.chance.pick(ready);
    await this.#look(`custom:${id}`, content);
  }

  // Keys

  async #makeKey(): Promise<void> {
    const { client, ledger } = this.#deps;
    if ([...ledger.keys.values()].filter(({ revoked }) => !revoked).length > 4) return this.#revokeKey();
    const path = '/rest/v1/rpc/create_api_key';
    const answer = await client.call(path, {
      method: 'POST',
      json: { key_name: `key ${this.#deps.chance.number()}` },
    });
    if (answer.status === 409) return;
    if (answer.status !== 200) throw new Refused(path, answer);
    const told = JSON.parse(textOf(answer)) as { id: string; key: string } | { id: string; key: string }[];
    const made = Array.isArray(told) ? told[0]! : told;
    ledger.keys.set(made.id, { key: made.key, revoked: false });
  }

  async #useKey(): Promise<void> {
    const keys = [...this.#deps.ledger.keys.values()];
    if (keys.length === 0) return;
    const { key, revoked } = this.#deps.chance.pick(keys);
    const answer = await this.#deps.client.call('/api/own-files', {
      anonymous: true,
      headers: { 'x-api-key': key },
    });
    if (revoked && answer.status === 200) {
      this.#deps.findings.count('revoked keys that still opened something for a moment');
    } else if (!revoked && answer.status !== 200) {
      this.#deps.findings.add(
        'lost',
        `a personal key is refused: ${answer.status}`,
        textOf(answer).slice(0, 200),
      );
    }
  }

  async #revokeKey(): Promise<void> {
    const [id, known] = [...this.#deps.ledger.keys].find(([, { revoked }]) => !revoked) ?? [];
    if (id === undefined || !known) return;
    const path = '/rest/v1/rpc/revoke_api_key';
    const answer = await this.#deps.client.call(path, { method: 'POST', json: { key_id: id } });
    if (answer.status !== 200) throw new Refused(path, answer);
    known.revoked = true;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) {
    const code = /"(?:code|error_code)":\s*"([^"]+)"/.exec(textOf(error.answer))?.[1];
    return `${error.answer.status} ${code ?? ''}`;
  }
  return (error as Error).name;
}

/** A question about a dataset whose answer is the same whenever it is asked. */
interface Question {
  readonly name: string;
  /** What is asked, one after the other in one tab; the last answer counts, and those of a filter. */
  readonly calls: readonly { readonly path: string; readonly json: unknown }[];
}

/** A dataset of the catalogue, and those of users by the kind of their file. */
export type Content = 'catalogue' | 'pbmc' | 'trio';

const genePlot = (gene: string, violin: boolean): Question => ({
  name: `${gene}${violin ? ' with violin' : ''}`,
  calls: [{ path: '/api/plot-umap-with-genes', json: { genes: [gene], violin_plot: violin } }],
});
const markers = (groupby: string, genes: number): Question => ({
  name: `markers of ${groupby}`,
  calls: [
    {
      path: '/api/perform-marker-analysis',
      json: { groupby, n_genes: genes, pvals_adj: 0.05, logfoldchanges: 0.25 },
    },
  ],
});
const inSubset = (name: string, filter: object, then: Question): Question => ({
  name: `${then.name} where ${name}`,
  calls: [
    { path: '/api/filter-active-dataset', json: { subset_group_name: name, ...filter } },
    ...then.calls,
    { path: '/api/filter-active-dataset', json: { subset_group_name: 'Default' } },
  ],
});

/** What there is to ask of blood, in the catalogue and of one's own. */
const blood: readonly Question[] = [
  ...['CD79A', 'CST3', 'NKG7', 'LYZ', 'CD3D', 'GZMK'].map((gene) => genePlot(gene, false)),
  genePlot('CD8B', true),
  markers('cell_type', 5),
  markers('leiden', 4),
  inSubset(
    'some B cells',
    { gene_filter: true, gene: { name: 'CD79A', presence: 'positive' } },
    genePlot('CD74', false),
  ),
];

/** What there is to ask of each dataset. */
export const questions: Readonly<Record<Content, readonly Question[]>> = {
  catalogue: blood,
  pbmc: blood,
  trio: [genePlot('GENE1', false), genePlot('GENE2', true), markers('leiden', 3)],
};

/** Asks one question in one tab about a dataset that the tab is told to open first, and digests the numbers. */
export async function ask(
  client: PatientClient,
  tab: string,
  datasetId: string,
  question: Question,
): Promise<string> {
  const headers = { 'x-session-id': tab };
  await client.json(`/api/dataset_analysis/${datasetId}`, { headers });
  const hash = createHash('sha256');
  for (const { path, json } of question.calls) {
    const answer = await client.json<unknown>(path, { method: 'POST', json, headers });
    hash.update(JSON.stringify(answer, withoutIdentity));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Which dataset it was and when it was written is another matter than what is in it. */
function withoutIdentity(key: string, value: unknown): unknown {
  return ['source', 'version', 'dataset', 'dataset_id'].includes(key) ? undefined : value;
}
