import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createUser, openDatabase, provisionKeys, setPlan } from '@cellfolio/platform';
import { postgresPrograms, startPrivatePostgres } from '@cellfolio/platform/testing';
import { freePort } from './free-port.ts';
import { bent, type RawRequest, seeded, send } from './bent-requests.ts';
import { embeddedDataFolder } from './databases.ts';
import { passwordCost } from './platform-server.ts';
import { mutatedRequests } from './rest-mutations.ts';

const server = fileURLToPath(new URL('../apps/server/src/boot/main.ts', import.meta.url));
const password = 'correct horse';
/** In rows, in the name of a file and in its bytes of the owner; whoever else is shown it was shown too much. */
const canary = 'canary-7c1f';

export interface BentReport {
  readonly family: string;
  readonly requests: number;
  /** How many were answered with which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answered 5xx or not at all. */
  readonly failures: readonly string[];
  /** Answers that held what is the owner's. */
  readonly leaks: readonly string[];
  /** What the owner has, before and after, is the same. */
  readonly unharmed: boolean;
}

interface World {
  readonly url: string;
  readonly key: string;
  readonly owner: { readonly id: string; readonly token: string };
  readonly stranger: { readonly id: string; readonly token: string };
}

/**
 * Sends spoilt requests in a stranger's name to every service of the whole server, in a process of its own, against what
 * somebody else owns. `families` are those of the route families wanted; all where none is given.
 */
export async function bentServices(
  kind: 'embedded' | 'PostgreSQL',
  requests: number,
  seed: number,
  onFamily: (report: BentReport) => void = () => {},
): Promise<BentReport[]> {
  const programs = postgresPrograms();
  if (kind === 'PostgreSQL' && !programs) throw new Error('PostgreSQL is not installed here.');
  const postgres = kind === 'PostgreSQL' ? await startPrivatePostgres(programs!) : undefined;
  const dataDir = await embeddedDataFolder();
  let running: ChildProcess | undefined;
  try {
    const database = await openDatabase({ dataDir, ...(postgres && { url: postgres.url }) });
    for (const name of ['owner', 'stranger']) {
      const email = `${name}@example.org`;
      await createUser(database, { email, password, confirmed: true, passwordCost });
      await setPlan(database, email, 'Professional');
    }
    const { publishableKey: key } = await provisionKeys(database);
    await database.close();
    const port = await freePort();
    running = spawn(process.execPath, [server], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        DATABASE_URL: postgres?.url ?? '',
        OBJECT_STORE_URL: '',
        PORT: String(port),
        DEMO: 'false',
        LOG_LEVEL: 'fatal',
      },
    });
    const url = `http://127.0.0.1:${port}`;
    await isUp(url, running);
    const world = {
      url,
      key,
      owner: await signIn(url, key, 'owner'),
      stranger: await signIn(url, key, 'stranger'),
    };
    await plant(world);
    const reports: BentReport[] = [];
    for (const [family, honest] of families(world)) {
      const report = await bendFamily(world, family, honest, requests, seed);
      onFamily(report);
      reports.push(report);
    }
    if (running.exitCode !== null) throw new Error('The server has ended.');
    return reports;
  } finally {
    running?.kill('SIGKILL');
    await postgres?.stop();
    await rm(dirname(dataDir), { recursive: true, force: true });
  }
}

async function bendFamily(
  world: World,
  family: string,
  honest: readonly RawRequest[],
  requests: number,
  seed: number,
): Promise<BentReport> {
  const random = seeded(seed);
  const before = await ownersThings(world);
  const statuses: Record<string, number> = {};
  const [failures, leaks]: [string[], string[]] = [[], []];
  const prepared =
    family === 'rest'
      ? mutatedRequests(requests, seed, { owner: world.owner.id, other: world.stranger.id }).map(
          ({ method, path, headers, body = '' }): RawRequest => ({
            method,
            path: `/rest/v1${path}`,
            headers: {
              ...headers,
              ...(body !== '' && !headers['content-type'] && { 'content-type': 'application/json' }),
            },
            body,
          }),
        )
      : Array.from({ length: requests }, () => bent(honest[Math.floor(random() * honest.length)]!, random));
  for (const [count, request] of prepared.entries()) {
    // Some without signing in, which must not be taken for anybody.
    const bearer = count % 5 === 4 ? world.key : world.stranger.token;
    const { status, text } = await send(world.url, request, {
      apikey: world.key,
      'x-api-key': world.key,
      authorization: `Bearer ${bearer}`,
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
    const told = `${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(request.headers)} ${request.body.slice(0, 300)}`;
    // Payment and models are not set up here, and say so.
    const honest503 = status === 503 && text.includes('_not_');
    if (status === 0 || (status >= 500 && !honest503))
      failures.push(`${status}: ${told}: ${text.slice(0, 500)}`);
    if (text.includes(canary) && !told.includes(canary)) leaks.push(`${told}: ${text.slice(0, 500)}`);
  }
  const unharmed = before === (await ownersThings(world)) && (await stillSignsIn(world));
  return { family, requests, statuses, failures, leaks, unharmed };
}

/** Requests that would be right, of every service. */
function families({ owner, stranger }: World): [string, RawRequest[]][] {
  const typed = { 'content-type': 'application/json' };
  const request = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): RawRequest => ({
    method,
    path,
    headers: { ...(body !== undefined && typed), ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  });
  const one = randomUUID();
  const file = `user-files/${owner.id}/1_${canary.slice(0, 6)}.tsv`;
  const auth = [
    request('POST', '/auth/v1/signup', {
      email: 'new@example.org',
      password: 'correct horse',
      data: { a: 1 },
    }),
    request('POST', '/auth/v1/token?grant_type=password', { email: 'owner@example.org', password: 'wrong' }),
    request('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: 'a'.repeat(40) }),
    request('POST', '/auth/v1/token?grant_type=pkce', { auth_code: one, code_verifier: 'v'.repeat(50) }),
    request('GET', '/auth/v1/user'),
    request('PUT', '/auth/v1/user?redirect_to=http://127.0.0.1', {
      data: { a: 'b' },
      email: 'x@example.org',
    }),
    request('POST', '/auth/v1/recover?redirect_to=http://127.0.0.1', { email: 'owner@example.org' }),
    request('POST', '/auth/v1/resend', { type: 'signup', email: 'owner@example.org' }),
    request('POST', '/auth/v1/otp', { email: 'owner@example.org', create_user: false }),
    request('POST', '/auth/v1/verify', { type: 'recovery', token: '123456', email: 'owner@example.org' }),
    request('GET', '/auth/v1/verify?token=abc&type=signup&redirect_to=http://127.0.0.1'),
    request('GET', '/auth/v1/authorize?provider=github&redirect_to=http://127.0.0.1&code_challenge=a'),
    request('GET', '/auth/v1/callback?code=a&state=b'),
    request('DELETE', `/auth/v1/user/identities/${one}`),
    request('POST', '/auth/v1/factors', { factor_type: 'totp', friendly_name: 'f', issuer: 'i' }),
    request('POST', `/auth/v1/factors/${one}/challenge`, {}),
    request('POST', `/auth/v1/factors/${one}/verify`, { challenge_id: one, code: '123456' }),
    request('DELETE', `/auth/v1/factors/${one}`),
    request('GET', '/auth/v1/admin/users?page=1&per_page=50'),
    request('GET', `/auth/v1/admin/users/${owner.id}`),
    request('PUT', `/auth/v1/admin/users/${owner.id}`, { password: 'another horse' }),
    request('DELETE', `/auth/v1/admin/users/${owner.id}`),
    request('POST', '/auth/v1/admin/generate_link', { type: 'recovery', email: 'owner@example.org' }),
  ];
  const tus = { 'tus-resumable': '1.0.0' };
  const metadata = `bucketName ${btoa('user-files')},objectName ${btoa(`${owner.id}/t.tsv`)}`;
  const storage = [
    request('GET', `/storage/v1/object/${file}`, undefined, { range: 'bytes=0-9' }),
    request('GET', `/storage/v1/object/info/${file}`),
    request('GET', `/storage/v1/object/public/${file}`),
    request('GET', `/storage/v1/object/sign/${file}?token=a.b.c`),
    { ...request('POST', `/storage/v1/object/${file}`, undefined, { 'x-upsert': 'true' }), body: 'bytes' },
    { ...request('PUT', `/storage/v1/object/${file}`), body: 'bytes' },
    request('POST', `/storage/v1/object/sign/${file}`, { expiresIn: 60 }),
    request('POST', '/storage/v1/object/list/user-files', {
      prefix: owner.id,
      limit: 10,
      sortBy: { column: 'name' },
    }),
    request('POST', '/storage/v1/object/copy', {
      bucketId: 'user-files',
      sourceKey: file.slice(11),
      destinationKey: `${stranger.id}/x.tsv`,
    }),
    request('POST', '/storage/v1/object/move', {
      bucketId: 'user-files',
      sourceKey: file.slice(11),
      destinationKey: `${stranger.id}/x.tsv`,
    }),
    request('DELETE', '/storage/v1/object/user-files', { prefixes: [file.slice(11)] }),
    request('POST', '/storage/v1/bucket', { name: 'b' }),
    request('DELETE', '/storage/v1/bucket/user-files'),
    request('POST', '/storage/v1/upload/resumable', undefined, {
      ...tus,
      'upload-length': '10',
      'upload-metadata': metadata,
    }),
  ];
  const functions = [
    request('POST', '/functions/v1/check-subscription'),
    request('POST', '/functions/v1/create-checkout', { plan: 'standard' }),
    request('POST', '/functions/v1/customer-portal'),
    request('POST', '/functions/v1/send-contact-email', {
      name: 'a',
      email: 'a@example.org',
      subject: 's',
      message: 'm',
    }),
    request('POST', '/functions/v1/analyze-image', {
      imageUrl: 'data:image/png;base64,AAAA',
      imageTitle: 't',
    }),
    request('POST', '/functions/v1/none', {}),
  ];
  const tab = { 'x-session-id': 'tab', 'x-request-id': 'call' };
  const api = [
    request('GET', '/api/dataset_metadata'),
    request('GET', '/api/dataset_analysis/none.h5ad', undefined, tab),
    request('GET', `/api/dataset_analysis/custom:${one}`, undefined, tab),
    request('GET', '/api/datasets/none.h5ad/umap.png'),
    request('GET', '/api/progress/call', undefined, tab),
    request('POST', '/api/filter-active-dataset', { filters: { cell_types: ['B cell'] } }, tab),
    request('POST', '/api/plot-umap-with-genes', { genes: ['CD3D'] }, tab),
    request('POST', '/api/plot-signature-enrichment', { genes: ['CD3D', 'CD79A'], violin_plot: true }, tab),
    request('POST', '/api/perform-marker-analysis', { groupby: 'cell_type', method: 'wilcoxon' }, tab),
    request('POST', '/api/perform-pathway-analysis', { pathway_genes: ['CD3D'] }, tab),
    request('POST', '/api/render-figure', { source: { dataset: 'none.h5ad' }, format: 'svg' }, tab),
    request('GET', '/config.json'),
  ];
  return [
    ['auth', auth],
    ['rest', []],
    ['storage', storage],
    ['functions', functions],
    ['api', api],
  ];
}

const headersOf = ({ key }: World, token: string) => ({ apikey: key, authorization: `Bearer ${token}` });

async function plant(world: World): Promise<void> {
  const { url, owner } = world;
  const mine = headersOf(world, owner.token);
  const path = `user-files/${owner.id}/1_${canary.slice(0, 6)}.tsv`;
  const answers = [
    await fetch(`${url}/storage/v1/object/${path}`, { method: 'POST', headers: mine, body: canary }),
    await fetch(`${url}/rest/v1/subset_metadata`, {
      method: 'POST',
      headers: { ...mine, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: owner.id, subset_name: canary }),
    }),
    await fetch(`${url}/auth/v1/user`, {
      method: 'PUT',
      headers: { ...mine, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { note: canary } }),
    }),
  ];
  const refused = answers.find(({ ok }) => !ok);
  if (refused) throw new Error(`${refused.url}: ${refused.status} ${await refused.text()}`);
}

/** What the owner sees of what is theirs. */
async function ownersThings(world: World): Promise<string> {
  const { url, owner } = world;
  const headers = headersOf(world, owner.token);
  const text = async (path: string, init: RequestInit = {}) =>
    (await fetch(url + path, { headers, ...init })).text();
  const list = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ prefix: owner.id }),
  };
  return [
    await text('/rest/v1/subset_metadata?select=*&order=id'),
    await text('/rest/v1/generated_images?select=*&order=image_id'),
    await text('/rest/v1/user_files?select=*&order=id'),
    // When it was last written to is told there; whoever knows an address may ask for a mail to it.
    (await text('/auth/v1/user')).replaceAll(/"(?:\w+_sent_at|updated_at)":"[^"]*",?/g, ''),
    await text(`/storage/v1/object/user-files/${owner.id}/1_${canary.slice(0, 6)}.tsv`),
    await text('/storage/v1/object/list/user-files', list),
  ].join('\n');
}

async function signIn(url: string, key: string, name: string): Promise<{ id: string; token: string }> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.org`, password }),
  });
  const { access_token: token, user } = (await answer.json()) as {
    access_token: string;
    user: { id: string };
  };
  return { id: user.id, token };
}

/** The password of the owner is the one it was. Guesses of others may have used up the attempts, which is told as such. */
async function stillSignsIn({ url, key }: World): Promise<boolean> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.org', password }),
  });
  return answer.status === 200 || answer.status === 429;
}

async function isUp(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(100);
  }
}
