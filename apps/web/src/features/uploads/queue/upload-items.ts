/** `waiting`: for the connection. `saving`: all bytes have arrived, the row is being written. */
type UploadPhase = 'queued' | 'uploading' | 'waiting' | 'paused' | 'saving' | 'failed';

export interface UploadItem {
  id: string;
  fileName: string;
  originalName: string;
  phase: UploadPhase;
  /** Bytes. */
  size: number;
  sent: number;
  /** Bytes per second; `null` while unknown. */
  rate: number | null;
  error: unknown;
}

export class UploadItems {
  readonly #listeners = new Set<() => void>();
  #all: readonly UploadItem[] = [];

  readonly get = (): readonly UploadItem[] => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  find(id: string): UploadItem | undefined {
    return this.#all.find((item) => item.id === id);
  }

  add(item: Pick<UploadItem, 'id' | 'fileName' | 'originalName' | 'size'>): void {
    this.#publish([...this.#all, { ...item, phase: 'queued', sent: 0, rate: null, error: null }]);
  }

  change(id: string, change: Partial<UploadItem>): void {
    this.#publish(this.#all.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  drop(id: string): void {
    this.#publish(this.#all.filter((item) => item.id !== id));
  }

  clear(): void {
    this.#publish([]);
  }

  renew(): void {
    this.#publish([...this.#all]);
  }

  #publish(all: readonly UploadItem[]): void {
    this.#all = all;
    for (const listener of this.#listeners) listener();
  }
}
