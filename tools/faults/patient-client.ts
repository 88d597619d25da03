import { setTimeout as pause } from 'node:timers/promises';
import type { Findings } from './ledger.ts';

export interface Settled {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** An attempt before this one may have been carried out without our hearing of it. */
  readonly doubtful: boolean;
}

interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  /** Nobody else is to be asked. */
  readonly base?: string;
  /** Without the token of the user. */
  readonly anonymous?: boolean;
}

interface ClientDeps {
  readonly url: string;
  readonly findings: Findings;
  readonly email: string;
  readonly password: string;
  /** Address that the proxy tells of. */
  readonly address: string;
  readonly keys: { readonly publishableKey: string; readonly apiKey: string };
}

/** The day is over when a call has had no answer for so long. */
const patienceMs = 600_000;
const attemptMs = 180_000;
/** Answers that ask to come again. */
const passing = new Set([423, 425, 429, 502, 503, 504]);

/** A call that got no answer within the patience of the day. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * A user's browser: sends again what got no answer or was asked to come again, signs in again where its session is not
 * believed, and writes down every answer that a client could make nothing of.
 */
export class PatientClient {
  readonly #deps: ClientDeps;
  #token = '';
  #refreshToken = '';
  #tokenAt = 0;
  userId = '';

  constructor(deps: ClientDeps) {
    this.#deps = deps;
  }

  async signUp(): Promise<void> {
    const { email, password, findings } = this.#deps;
    const answer = await this.#settle('/auth/v1/signup', {
      method: 'POST',
      json: { email, password },
      anonymous: true,
    });
    if (answer.status === 200) return this.#take(answer);
    // The answer to an attempt that made the account may have been lost.
    if (!answer.doubtful) findings.add('unclean', `sign-up: ${answer.status}`, textOf(answer));
    await this.signIn();
  }

  async signIn(): Promise<void> {
    const { email, password, findings } = this.#deps;
    const answer = await this.#settle('/auth/v1/token?grant_type=password', {
      method: 'POST',
      json: { email, password },
      anonymous: true,
    });
    if (answer.status === 200) return this.#take(answer);
    findings.add('lost', `an account does not open: ${answer.status}`, textOf(answer));
    throw new NoAnswer(`${email} cannot sign in: ${textOf(answer)}`);
  }

  async refresh(): Promise<void> {
    const answer = await this.#settle('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      json: { refresh_token: this.#refreshToken },
      anonymous: true,
    });
    if (answer.status === 200) return this.#take(answer);
    this.#deps.findings.count(
      `sessions that had to be begun anew (${answer.doubtful ? 'after a lost answer' : textOf(answer).slice(0, 80)})`,
    );
    await this.signIn();
  }

  /** Ends with an answer that is neither a fault nor a request to come again. Throws NoAnswer. */
  async call(path: string, options: CallOptions = {}): Promise<Settled> {
    let doubtful = false;
    for (let round = 0; ; round += 1) {
      const answer = await this.#settle(path, options);
      doubtful ||= answer.doubtful;
      const refused =
        answer.status === 401 ||
        // Files have statuses of their own for it.
        (answer.status < 500 &&
          answer.status >= 400 &&
          /invalid JWT|InvalidJWT|jwt expired/i.test(textOf(answer)));
      if (!refused || options.anonymous || round === 40) return { ...answer, doubtful };
      this.#deps.findings.count('calls whose token was refused');
      // Of two processes one may have another time than the other: a new token helps only where it is asked for.
      await pause(300);
      if (Date.now() - this.#tokenAt > 2000) await this.refresh();
    }
  }

  async json<T>(path: string, options: CallOptions = {}): Promise<T> {
    const answer = await this.call(path, options);
    if (answer.status >= 300) throw new Refused(path, answer);
    return JSON.parse(textOf(answer)) as T;
  }

  /** One attempt; undefined where there was no answer. */
  async once(path: string, options: CallOptions): Promise<Settled | undefined> {
    const { keys, address, url } = this.#deps;
    const { method = 'GET', headers, json, bytes, base = url, anonymous } = options;
    try {
      const answer = await fetch(path.startsWith('http') ? path : base + path, {
        method,
        headers: {
          apikey: keys.publishableKey,
          'x-api-key': keys.apiKey,
          'x-forwarded-for': address,
          ...(!anonymous && { authorization: `Bearer ${this.#token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(attemptMs),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, bytes: body, doubtful: false };
    } catch (error) {
      const timedOut = (error as Error).name === 'TimeoutError';
      this.#deps.findings.count(timedOut ? 'calls that hung' : 'calls whose connection broke');
      if (timedOut) this.#deps.findings.add('stuck', `a call hung: ${method} ${kindOf(path)}`);
      return undefined;
    }
  }

  /** Whether an answer asks to come again; notes those that should have and did not. */
  isPassing(method: string, path: string, { status, bytes }: Settled): boolean {
    const { findings } = this.#deps;
    findings.count(`answers ${status}`);
    if (passing.has(status)) return true;
    if (status < 500) return false;
    findings.add('unclean', `${method} ${kindOf(path)}: ${status}`, bytes.toString('utf8').slice(0, 300));
    return true;
  }

  async #settle(path: string, options: CallOptions): Promise<Settled> {
    const { method = 'GET' } = options;
    let doubtful = false;
    let last = 'no answer';
    for (const begun = Date.now(); ;) {
      const answer = await this.once(path, options);
      if (answer && !this.isPassing(method, path, answer)) return { ...answer, doubtful };
      // Whatever was asked to come again may have been carried out by a process behind the one that asked.
      doubtful = true;
      if (answer) last = `${answer.status} ${textOf(answer).slice(0, 200)}`;
      if (Date.now() - begun > patienceMs) {
        this.#deps.findings.add('stuck', `${method} ${kindOf(path)} was not answered in minutes`, last);
        throw new NoAnswer(`${method} ${path}: ${last}`);
      }
      await pause(200 + 300 * Math.min(1, (Date.now() - begun) / 5000));
    }
  }

  #take(answer: Settled): void {
    const session = JSON.parse(textOf(answer)) as {
      access_token: string;
      refresh_token: string;
      user: { id: string };
    };
    this.#token = session.access_token;
    this.#refreshToken = session.refresh_token;
    this.#tokenAt = Date.now();
    this.userId = session.user.id;
  }
}

/** An answer that was not expected. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly answer: Settled;

  constructor(path: string, answer: Settled) {
    super(`${kindOf(path)}: ${answer.status} ${textOf(answer).slice(0, 300)}`);
    this.answer = answer;
  }
}

export function textOf({ bytes }: Settled): string {
  return bytes.toString('utf8');
}

/** A path without what is only in this one. */
function kindOf(path: string): string {
  return path
    .replace(/^https?:\/\/[^/]+/, '')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/(object\/user-files\/).*/, '$1…')
    .replace(/\?(?!grant_type).*/, '?…');
}

interface ResumableDeps {
  readonly client: PatientClient;
  readonly findings: Findings;
  /** Below the bucket. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly chunkBytes: number;
}

const protocol = { 'tus-resumable': '1.0.0' };
const endpoint = '/storage/v1/upload/resumable';

/**
 * Uploads by the resumable protocol as a client does that remembers how far it is; every byte that was acknowledged must
 * still count when it asks. Returns whether attempts of unknown end may have left another upload behind.
 */
export async function uploadResumably(deps: ResumableDeps): Promise<void> {
  const { client, findings, bytes, chunkBytes, path } = deps;
  for (let begun = 1; begun <= 5; begun += 1) {
    const location = await create(deps);
    if (location === undefined) return;
    let acknowledged = 0;
    let size = 0;
    for (let failures = 0; failures < 400;) {
      const chunk = bytes.subarray(size, size + chunkBytes);
      const answer = await client.once(location, {
        method: 'PATCH',
        bytes: chunk,
        headers: {
          ...protocol,
          'upload-offset': String(size),
          'content-type': 'application/offset+octet-stream',
        },
      });
      if (answer?.status === 204) {
        acknowledged = size = Number(answer.headers.get('upload-offset'));
        if (size === bytes.length) return;
        continue;
      }
      failures += 1;
      if (answer && !client.isPassing('PATCH', endpoint, answer) && answer.status === 401)
        await client.refresh();
      await pause(200);
      const head = await whereIsIt(client, location);
      if (head.status === 404 || head.status === 410) {
        if (acknowledged > 0) {
          findings.add(
            'lost',
            'an upload that had acknowledged bytes is not known any more',
            `${path} at ${acknowledged}`,
          );
        }
        break;
      }
      if (head.status !== 200) throw new Refused(location, head);
      size = Number(head.headers.get('upload-offset'));
      if (size < acknowledged) {
        findings.add(
          'lost',
          'acknowledged bytes of an upload do not count any more',
          `${path}: ${size} of ${acknowledged}`,
        );
        acknowledged = size;
      }
      if (size === bytes.length) return;
    }
  }
  throw new Error(`${path} could not be uploaded.`);
}

async function create({ client, path, bytes }: ResumableDeps): Promise<string | undefined> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const answer = await client.call(endpoint, {
    method: 'POST',
    headers: {
      ...protocol,
      'upload-length': String(bytes.length),
      'upload-metadata': [
        `bucketName ${base64('user-files')}`,
        `objectName ${base64(path)}`,
        `contentType ${base64('application/octet-stream')}`,
      ].join(','),
    },
  });
  const location = answer.headers.get('location');
  if (answer.status === 201 && location) return location;
  // An earlier upload of this name has all its bytes: its last answer was lost.
  if (answer.status === 409 || /exists/i.test(textOf(answer))) return undefined;
  throw new Refused(endpoint, answer);
}

function whereIsIt(client: PatientClient, location: string): Promise<Settled> {
  return client.call(location, { method: 'HEAD', headers: protocol });
}
