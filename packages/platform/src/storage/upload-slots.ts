import { StorageError } from './storage-error.ts';

/** How many uploads are taken in at a time: each costs memory, and more than that is refused before it does. */
export class UploadSlots {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws StorageError `SlowDown` when all are taken. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#limit) {
      throw new StorageError(
        'SlowDown',
        'Too many files are being uploaded right now. Please try again soon.',
      );
    }
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
    }
  }
}
