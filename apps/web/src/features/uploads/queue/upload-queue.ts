import { randomId } from '@/lib/session-id.ts';
import type { Services } from '@/lib/services.ts';
import { userFilesBucket } from '../user-files.ts';
import {
  forgetUpload,
  holdUpload,
  isHeld,
  isSameFile,
  pendingUploads,
  rememberUpload,
} from './pending-uploads.ts';
import type { PendingUpload } from './pending-uploads.ts';
import { mimeType, RowNotWritten, storagePath, storeRow } from './stored-row.ts';
import { TransferFailed, TransferRate } from './transfer.ts';
import type { Transfer, TransferService } from './transfer.ts';
import { UploadItems } from './upload-items.ts';
import type { UploadItem } from './upload-items.ts';

interface NewUpload {
  file: File;
  fileName: string;
  description: string | null;
}

interface Job {
  upload: PendingUpload;
  file: File;
  transfer: Transfer | null;
  rate: TransferRate;
  attempts: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented on each stop, so that late events of an earlier transfer are ignored. */
  round: number;
  release: () => void;
}

interface UploadQueueOptions {
  userId: string;
  services: Pick<Services, 'tables' | 'files'>;
  transfers: TransferService;
  onStored: (item: UploadItem) => void;
  onFailed: (item: UploadItem) => void;
}

const waitsMs = [1000, 5000, 10_000, 20_000, 30_000];
const publishEveryMs = 200;

/**
 * The uploads of one user, one at a time in order, so that each has the full bandwidth. Lives outside the pages: an
 * upload continues while another page of the tool is open. A started upload is recorded in this browser until its row
 * is stored, so that it can resume after a reload.
 */
export class UploadQueue {
  readonly userId: string;
  readonly #options: UploadQueueOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #items = new UploadItems();
  #lastTimestamp = 0;
  #publishedAt = 0;

  constructor(options: UploadQueueOptions) {
    this.userId = options.userId;
    this.#options = options;
    addEventListener('online', this.#onOnline);
    addEventListener('beforeunload', this.#onBeforeUnload);
  }

  readonly get = this.#items.get;
  readonly subscribe = this.#items.subscribe;

  interrupted(): PendingUpload[] {
    const here = new Set(Array.from(this.#jobs.values(), ({ upload }) => upload.path));
    return pendingUploads(this.userId, Date.now()).filter(({ path }) => !here.has(path));
  }

  /** Whether this file is already uploading, here or in another tab. */
  async has(file: File): Promise<boolean> {
    if (Array.from(this.#jobs.values()).some(({ upload }) => isSameFile(upload, file))) return true;
    const interrupted = this.interrupted().find((upload) => isSameFile(upload, file));
    return interrupted !== undefined && (await isHeld(interrupted.path));
  }

  /** Queues files; an interrupted upload resumes. */
  add(uploads: readonly NewUpload[]): void {
    for (const { file, fileName, description } of uploads) {
      const interrupted = this.interrupted().find((upload) => isSameFile(upload, file));
      const upload: PendingUpload = {
        path: interrupted?.path ?? this.#newPath(fileName, file.name),
        fileName,
        description,
        originalName: file.name,
        size: file.size,
        lastModified: file.lastModified,
        startedAt: interrupted?.startedAt ?? Date.now(),
        url: interrupted?.url ?? null,
      };
      this.#enqueue(upload, file);
    }
    this.#next();
  }

  resume(upload: PendingUpload, file: File): void {
    this.#enqueue(upload, file);
    this.#next();
  }

  pause(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#halt(job);
    this.#items.change(id, { phase: 'paused', rate: null });
    this.#next();
  }

  continue(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.attempts = 0;
    rememberUpload(this.userId, job.upload, Date.now());
    this.#items.change(id, { phase: 'queued', error: null });
    this.#next();
  }

  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#halt(job);
    this.#drop(id);
    this.#next();
    await this.discard(job.upload);
  }

  /** Discards an interrupted upload. Bytes that cannot be deleted now expire at the service within a day. */
  async discard({ path, url }: PendingUpload): Promise<void> {
    forgetUpload(this.userId, path, Date.now());
    // What is interrupted is shown too.
    this.#items.renew();
    if (url === null) return;
    await this.#options.transfers.giveUp(url).catch(() => {});
    // The upload may have completed meanwhile.
    await (await this.#options.services.files()).from(userFilesBucket).remove([path]);
  }

  /** Stops all uploads but keeps the received bytes: the user has signed out. */
  close(): void {
    removeEventListener('online', this.#onOnline);
    removeEventListener('beforeunload', this.#onBeforeUnload);
    for (const job of this.#jobs.values()) {
      this.#halt(job);
      job.release();
    }
    this.#jobs.clear();
    this.#items.clear();
  }

  #enqueue(upload: PendingUpload, file: File): void {
    const id = randomId();
    const job: Job = {
      upload,
      file,
      transfer: null,
      rate: new TransferRate(),
      attempts: 0,
      timer: undefined,
      round: 0,
      release: holdUpload(upload.path),
    };
    this.#jobs.set(id, job);
    rememberUpload(this.userId, upload, Date.now());
    const { fileName, originalName, size } = upload;
    this.#items.add({ id, fileName, originalName, size });
  }

  #next(): void {
    const items = this.#items.get();
    if (items.some(({ phase }) => phase === 'uploading' || phase === 'waiting' || phase === 'saving')) return;
    const item = items.find(({ phase }) => phase === 'queued');
    const job = item && this.#jobs.get(item.id);
    if (item && job) void this.#start(item.id, job);
  }

  async #start(id: string, job: Job): Promise<void> {
    const { round } = job;
    const current = () => job.round === round && this.#jobs.get(id) === job;
    // A lost connection counts as restored once bytes are acknowledged.
    if (job.attempts === 0) this.#items.change(id, { phase: 'uploading', rate: null });
    job.rate.reset();
    try {
      const transfer = await this.#options.transfers.open({
        file: job.file,
        path: job.upload.path,
        contentType: mimeType(job.file),
        url: job.upload.url,
        onUrl: (url) => {
          if (!current()) return;
          job.upload = { ...job.upload, url };
          rememberUpload(this.userId, job.upload, Date.now());
        },
        onProgress: (sent) => current() && this.#progress(id, job, sent),
        onArrived: () => {
          if (current()) job.attempts = 0;
        },
        onDone: () => current() && void this.#save(id, job),
        onFailed: (failure) => current() && this.#failed(id, job, failure),
      });
      if (!current()) return;
      job.transfer = transfer;
      transfer.start();
    } catch (error) {
      // The transfer module could not be loaded.
      if (current()) this.#failed(id, job, new TransferFailed(null, '', { cause: error }));
    }
  }

  #progress(id: string, job: Job, sent: number): void {
    const now = performance.now();
    job.rate.add(now, sent);
    // While waiting for the connection, bytes may be sent but not received.
    if (job.attempts > 0) return;
    if (now - this.#publishedAt < publishEveryMs && sent < job.upload.size) return;
    this.#publishedAt = now;
    this.#items.change(id, { phase: 'uploading', sent, rate: job.rate.rate() });
  }

  async #save(id: string, job: Job): Promise<void> {
    this.#items.change(id, { phase: 'saving', sent: job.upload.size, rate: null });
    const { path, fileName, originalName, description, size } = job.upload;
    try {
      await storeRow(this.#options.services, {
        user_id: this.userId,
        file_name: fileName,
        original_filename: originalName,
        description,
        file_size: size,
        mime_type: mimeType(job.file),
        file_path: path,
      });
    } catch (error) {
      if (this.#jobs.get(id) !== job) return;
      if (error instanceof RowNotWritten && error.refused) this.#forget(job);
      this.#fail(id, error);
      return;
    }
    forgetUpload(this.userId, path, Date.now());
    const item = this.#items.find(id);
    if (this.#jobs.get(id) !== job || item === undefined) return;
    this.#drop(id);
    this.#options.onStored(item);
    this.#next();
  }

  #failed(id: string, job: Job, failure: TransferFailed): void {
    job.round += 1;
    if (failure.isInterruption) {
      const wait = waitsMs[Math.min(job.attempts, waitsMs.length - 1)] ?? 0;
      job.attempts += 1;
      job.rate.reset();
      job.timer = setTimeout(() => void this.#start(id, job), wait);
      this.#items.change(id, { phase: 'waiting', rate: null, error: failure });
      return;
    }
    // If the service refused the file, it cannot be resumed.
    if (!failure.isTokenRefused) this.#forget(job);
    this.#fail(id, failure);
  }

  /** A retry is a new upload. */
  #forget(job: Job): void {
    const { upload } = job;
    forgetUpload(this.userId, upload.path, Date.now());
    if (upload.url !== null) void this.#options.transfers.giveUp(upload.url).catch(() => {});
    job.upload = { ...upload, path: this.#newPath(upload.fileName, upload.originalName), url: null };
    job.release();
    job.release = holdUpload(job.upload.path);
  }

  #newPath(fileName: string, originalName: string): string {
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    return storagePath(this.userId, this.#lastTimestamp, fileName, originalName);
  }

  #fail(id: string, error: unknown): void {
    this.#items.change(id, { phase: 'failed', rate: null, error });
    const item = this.#items.find(id);
    if (item !== undefined) this.#options.onFailed(item);
    this.#next();
  }

  #halt(job: Job): void {
    clearTimeout(job.timer);
    job.round += 1;
    job.rate.reset();
    void job.transfer?.stop();
    job.transfer = null;
  }

  #drop(id: string): void {
    this.#jobs.get(id)?.release();
    this.#jobs.delete(id);
    this.#items.drop(id);
  }

  readonly #onOnline = (): void => {
    for (const { id, phase } of this.#items.get()) {
      const job = this.#jobs.get(id);
      if (phase !== 'waiting' || job === undefined) continue;
      clearTimeout(job.timer);
      void this.#start(id, job);
    }
  };

  readonly #onBeforeUnload = (event: BeforeUnloadEvent): void => {
    if (this.#items.get().some(({ phase }) => phase !== 'failed')) event.preventDefault();
  };
}
