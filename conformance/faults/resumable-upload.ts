import { setTimeout as pause } from 'node:timers/promises';
import { type PatientClient, Refused, type Settled, textOf } from './patient-client.ts';
import type { Findings } from './findings.ts';

export interface ResumableParts {
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
export async function uploadResumably(parts: ResumableParts): Promise<void> {
  const { client, findings, bytes, chunkBytes, path } = parts;
  for (let begun = 1; begun <= 5; begun += 1) {
    const location = await create(parts);
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

async function create({ client, path, bytes }: ResumableParts): Promise<string | undefined> {
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
