import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SeenRequest {
  library: string;
  range: string | undefined;
  ifRange: string | undefined;
  acceptEncoding: string | undefined;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface FakePublisher {
  base: string;
  seen: readonly SeenRequest[];
  /** Responses for the next requests, one each; after them, whole libraries again. */
  answerNext(...answers: Answer[]): void;
  close(): Promise<void>;
}

export async function startPublisher(libraries: ReadonlyMap<string, string>): Promise<FakePublisher> {
  const seen: SeenRequest[] = [];
  const next: Answer[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://publisher');
    const library = url.searchParams.get('libraryName') ?? '';
    const { range, 'if-range': ifRange, 'accept-encoding': encoding } = request.headers;
    seen.push({ library, range, ifRange: ifRange?.toString(), acceptEncoding: encoding?.toString() });
    const text = libraries.get(library);
    const answer = next.shift();
    if (answer) answer(response, request);
    else if (url.pathname !== '/Enrichr/geneSetLibrary' || url.searchParams.get('mode') !== 'text' || !text) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    } else whole(text)(response, request);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/Enrichr`,
    seen,
    answerNext: (...answers) => void next.push(...answers),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export function whole(text: string): Answer {
  return (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
}

export function cutAfter(text: string, bytes: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(text), ...headers });
    response.write(Buffer.from(text).subarray(0, bytes), () => response.destroy());
  };
}

export function restOf(text: string, etag: string): Answer {
  return (response, request) => {
    const bytes = Buffer.from(text);
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
    response.writeHead(206, {
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      'content-length': bytes.length - start,
      etag,
    });
    response.end(bytes.subarray(start));
  };
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): Answer {
  return (response) => void response.writeHead(code, headers).end(body);
}

/** A library in the publisher's format: no description, a tab before each line break. */
export function enrichrText(sets: readonly (readonly [name: string, ...genes: string[]])[]): string {
  return sets.map(([name, ...genes]) => `${name}\t\t${genes.join('\t')}\t\n`).join('');
}
