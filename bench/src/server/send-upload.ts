import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { createUser, migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { paths } from '../paths.ts';

/** A user who may upload, and where to. */
export interface Uploader {
  readonly address: string;
  /** First segment of every path of theirs. */
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The server does not take an upload of the bench. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
  readonly status: number;

  constructor(what: string, status: number, answer: string) {
    super(`${what}: ${status} ${answer.slice(0, 300)}`);
    this.status = status;
  }
}

const piece = Buffer.alloc(256 * 1024, 7);

const account = { email: 'uploader@example.org', password: 'correct horse battery' };

/** Makes an account whose plan has uploads, in the database of a server that is not started yet. */
export async function makeUploader(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir });
  try {
    await migrate(database, paths.migrations);
    await createUser(database, { ...account, confirmed: true });
    await setPlan(database, account.email, 'Professional');
  } finally {
    await database.close();
  }
}

/** Throws UploadRefused. */
export async function signInUploader(address: string): Promise<Uploader> {
  const config = await (await fetch(`${address}/config.json`)).json();
  const { publishableKey } = config as { publishableKey: string };
  const answer = await fetch(`${address}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!answer.ok) throw new UploadRefused('signing in', answer.status, await answer.text());
  const { access_token: token, user } = (await answer.json()) as {
    access_token: string;
    user: { id: string };
  };
  return {
    address,
    userId: user.id,
    headers: { apikey: publishableKey, authorization: `Bearer ${token}` },
  };
}

/** All bytes in the body of one request. Throws UploadRefused. */
export async function uploadWhole(uploader: Uploader, name: string, bytes: number): Promise<void> {
  await send(uploader, 'PUT', objectPath(uploader, name), bytes, {
    'content-type': 'application/x-hdf5',
    'x-upsert': 'true',
  });
}

/** In parts by the tus protocol, one after the other, as the web app sends them. Throws UploadRefused. */
export async function uploadInParts(
  uploader: Uploader,
  name: string,
  { bytes, partBytes }: { bytes: number; partBytes: number },
): Promise<void> {
  const tus = { 'tus-resumable': '1.0.0' };
  const told = { bucketName: 'user-files', objectName: `${uploader.userId}/${name}` };
  const metadata = Object.entries(told)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join();
  const made = await send(uploader, 'POST', '/storage/v1/upload/resumable', 0, {
    ...tus,
    'upload-length': String(bytes),
    'upload-metadata': metadata,
    'x-upsert': 'true',
  });
  const { pathname } = new URL(String(made.headers.location), uploader.address);
  for (let offset = 0; offset < bytes; offset += partBytes) {
    await send(uploader, 'PATCH', pathname, Math.min(partBytes, bytes - offset), {
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    });
  }
}

/** Throws UploadRefused. */
export async function removeUpload(uploader: Uploader, name: string): Promise<void> {
  await send(uploader, 'DELETE', objectPath(uploader, name), 0, {});
}

function objectPath({ userId }: Uploader, name: string): string {
  return `/storage/v1/object/user-files/${userId}/${name}`;
}

async function send(
  { address, headers: own }: Uploader,
  method: string,
  path: string,
  bytes: number,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const request = httpRequest(address + path, {
    method,
    headers: { ...own, ...headers, 'content-length': bytes },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  for (let sent = 0; sent < bytes; sent += piece.byteLength) {
    const left = bytes - sent;
    // A refusal comes before the last byte, and ends the connection.
    if (request.destroyed) break;
    if (!request.write(left < piece.byteLength ? piece.subarray(0, left) : piece)) {
      await Promise.race([once(request, 'drain'), answered]);
    }
  }
  request.end();
  const [answer] = await answered;
  let text = '';
  answer.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(answer, 'end');
  const { statusCode = 0 } = answer;
  if (statusCode >= 300) throw new UploadRefused(`${method} ${path}`, statusCode, text);
  return answer;
}
