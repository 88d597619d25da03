import { randomUUID } from 'node:crypto';
import type { Chance } from './chance.ts';
import { digestOf } from './digest.ts';
import { countOf, type Kept, type Ledger } from './ledger.ts';
import { type PatientClient, Refused } from './patient-client.ts';

export interface RowParts {
  readonly client: PatientClient;
  readonly ledger: Ledger;
  readonly chance: Chance;
}

/** Subsets and images: rows whose ids their user chooses. */
export class UserRows {
  readonly #parts: RowParts;

  constructor(parts: RowParts) {
    this.#parts = parts;
  }

  async saveSubset(): Promise<void> {
    const value = this.#parts.chance.number();
    await this.#insert(this.#parts.ledger.subsets, randomUUID(), value, (id) => ({
      path: '/rest/v1/subset_metadata',
      json: { id, user_id: this.#parts.client.userId, subset_name: `subset ${value}`, percentile: value },
    }));
  }

  async saveImage(): Promise<void> {
    if (countOf(this.#parts.ledger.images) > 20) return this.dropImage();
    const data = Buffer.alloc(
      20_000 + (this.#parts.chance.number() % 20_000),
      String(this.#parts.chance.number()),
    ).toString('base64');
    await this.#insert(this.#parts.ledger.images, randomUUID(), digestOf(data), (image_id) => ({
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

  async changeSubset(): Promise<void> {
    const kept = this.#parts.chance.some(this.#parts.ledger.subsets);
    if (!kept) return;
    const value = this.#parts.chance.number();
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

  dropSubset(): Promise<void> {
    return this.#dropSome('subset_metadata', 'id', this.#parts.ledger.subsets);
  }

  dropImage(): Promise<void> {
    return this.#dropSome('generated_images', 'image_id', this.#parts.ledger.images);
  }

  async #dropSome<T>(table: string, column: string, map: ReadonlyMap<string, Kept<T>>): Promise<void> {
    const kept = this.#parts.chance.some(map);
    if (kept) await this.remove(table, column, kept);
  }

  /** Says that it is gone when that was acknowledged. */
  async remove(table: string, column: string, kept: Kept<unknown>): Promise<void> {
    kept.state = 'unknown';
    const path = `/rest/v1/${table}?${column}=eq.${kept.id}`;
    const answer = await this.#parts.client.call(path, { method: 'DELETE' });
    if (answer.status !== 204) throw new Refused(path, answer);
    kept.state = 'gone';
  }
}
