import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from './chance.ts';
import { ask, type Content, questions } from './figures.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';
import { type PatientClient, Refused, type Settled, textOf } from './patient-client.ts';
import { UserFiles } from './user-files.ts';
import { UserRows } from './user-rows.ts';

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

export const catalogued = 'pbmc.h5ad';

/** What one user does all day: one thing after the other, in an order that the seed decides. */
export class User {
  readonly #parts: UserParts & { readonly chance: Chance };
  readonly #rows: UserRows;
  readonly files: UserFiles;

  constructor(parts: UserParts) {
    this.#parts = { ...parts, chance: new Chance(parts.random) };
    this.#rows = new UserRows(this.#parts);
    this.files = new UserFiles({ ...this.#parts, rows: this.#rows });
  }

  async live(): Promise<void> {
    const { findings } = this.#parts;
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
      [4, 'refresh', () => this.#parts.client.refresh()],
      [2, 'sign in', () => this.#parts.client.signIn()],
    ];
    const whole = plan.reduce((sum, [weight]) => sum + weight, 0);
    while (!this.#parts.isOver()) {
      let at = this.#parts.chance.share() * whole;
      const [, what, act] = plan.find(([weight]) => (at -= weight) < 0) ?? plan[0]!;
      try {
        await act();
        findings.count(`did: ${what}`);
      } catch (error) {
        findings.add('unclean', `${what} came to nothing: ${reasonOf(error)}`, String(error).slice(0, 400));
      }
      await pause(50 + 250 * this.#parts.chance.share());
    }
  }

  // Figures

  async #look(datasetId: string, content: Content): Promise<void> {
    const { client, findings, expected } = this.#parts;
    const question = this.#parts.chance.pick(questions[content]);
    const tab = `tab-${Math.floor(this.#parts.chance.share() * 4)}`;
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
    const ready = [...this.files.ready].filter(([id]) => this.#parts.ledger.files.get(id)?.state === 'there');
    if (ready.length === 0) return;
    const [id, content] = this.#parts.chance.pick(ready);
    await this.#look(`custom:${id}`, content);
  }

  // Keys

  async #makeKey(): Promise<void> {
    const { client, ledger } = this.#parts;
    if ([...ledger.keys.values()].filter(({ revoked }) => !revoked).length > 4) return this.#revokeKey();
    const path = '/rest/v1/rpc/create_api_key';
    const answer = await client.call(path, {
      method: 'POST',
      json: { key_name: `key ${this.#parts.chance.number()}` },
    });
    if (answer.status === 409) return;
    if (answer.status !== 200) throw new Refused(path, answer);
    const told = JSON.parse(textOf(answer)) as { id: string; key: string } | { id: string; key: string }[];
    const made = Array.isArray(told) ? told[0]! : told;
    ledger.keys.set(made.id, { key: made.key, revoked: false });
  }

  async #useKey(): Promise<void> {
    const keys = [...this.#parts.ledger.keys.values()];
    if (keys.length === 0) return;
    const { key, revoked } = this.#parts.chance.pick(keys);
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
    const [id, known] = [...this.#parts.ledger.keys].find(([, { revoked }]) => !revoked) ?? [];
    if (id === undefined || !known) return;
    const path = '/rest/v1/rpc/revoke_api_key';
    const answer = await this.#parts.client.call(path, { method: 'POST', json: { key_id: id } });
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
