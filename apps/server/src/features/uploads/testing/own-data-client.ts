import type { Job, UserFileRecord, UserFileList } from '@cellfolio/contract';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiAnswer, TestServer } from '../../../testing/running-server.ts';

const timeoutMs = 280_000;

/** Delay between polls: the longer the wait, the rarer, as each poll costs the server work. */
export const pauseAfter = (waitedMs: number): Promise<void> => pause(Math.min(500, 50 + waitedMs / 4));

export function ownDataClient(server: TestServer, token: string) {
  const userId = (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string })
    .sub;
  const { call, rest, store } = requestsOf(server, token);
  let uploads = 0;

  const list = async (): Promise<UserFileList> => (await call('GET', '/api/own-files')).body as UserFileList;

  async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const begun = Date.now();
    for (;;) {
      const outcome = await look();
      if (outcome !== undefined) return outcome;
      const waited = Date.now() - begun;
      if (waited > timeoutMs) {
        throw new Error(`Waited too long for ${what}: ${JSON.stringify(await list())}`);
      }
      await pauseAfter(waited);
    }
  }

  return {
    userId,
    call,
    list,
    /** Stores bytes and their row; returns the id of the file. */
    async upload(name: string, bytes: NonNullable<RequestInit['body']>): Promise<string> {
      const path = `${userId}/${(uploads += 1)}_${name}`;
      await store(path, bytes);
      const row = { user_id: userId, file_name: name, original_filename: name, file_path: path };
      const [created] = (await (await rest('POST', 'user_files', row)).json()) as { id: string }[];
      return created!.id;
    },
    async replace(count: number, name: string, bytes: NonNullable<RequestInit['body']>): Promise<void> {
      await store(`${userId}/${count}_${name}`, bytes, { 'x-upsert': 'true' });
    },
    rest,
    async remove(fileId: string): Promise<void> {
      await rest('DELETE', `user_files?id=eq.${fileId}`);
    },
    file: (fileId: string, fits: (file: UserFileRecord) => boolean): Promise<UserFileRecord> =>
      until(`the file ${fileId}`, async () =>
        (await list()).files.find((file) => file.file_id === fileId && fits(file)),
      ),
    job: (jobId: string, fits: (job: Job) => boolean): Promise<Job> =>
      until(`the job ${jobId}`, async () => {
        const { body } = await call('GET', `/api/jobs/${jobId}`);
        const { job } = body as { job: Job };
        return fits(job) ? job : undefined;
      }),
    until,
  };
}

function requestsOf(server: TestServer, token: string) {
  const platformHeaders = { apikey: server.config.publishableKey, authorization: `Bearer ${token}` };

  async function call(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await fetch(server.siteUrl + path, {
      method,
      headers: {
        ...server.headers(token),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  async function rest(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await fetch(`${server.siteUrl}/rest/v1/${path}`, {
      method,
      headers: {
        ...platformHeaders,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async function store(
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const stored = await fetch(`${server.siteUrl}/storage/v1/object/user-files/${path}`, {
      method: 'POST',
      headers: { ...platformHeaders, 'content-type': 'application/octet-stream', ...headers },
      body,
    });
    if (!stored.ok) throw new Error(`${path}: ${stored.status} ${await stored.text()}`);
  }

  return { call, rest, store };
}

export const hasEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';
