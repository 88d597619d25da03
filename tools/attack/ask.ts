import { Agent, request } from 'node:http';

export interface CallOptions {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Loopback address of the client, as limits depend on it; default: 127.0.0.1. */
  from?: string;
  signal?: AbortSignal;
}

export interface Reply {
  /** 0 when the connection broke. */
  status: number;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Makes a call and reads the whole response, of which at most `keep` bytes are returned. Never throws. */
export function ask(address: string, options: CallOptions, keep = 1 << 20): Promise<Reply> {
  const { method, path, headers, body, from = '127.0.0.1', signal } = options;
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, text: '' });
    const call = request(
      address + path,
      {
        method,
        agent,
        localAddress: from,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        ...(signal && { signal }),
      },
      (answer) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (part: Buffer) => {
          bytes += part.byteLength;
          if (bytes <= keep) parts.push(part);
        });
        answer.on('error', broken);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
        answer.on('close', broken);
      },
    );
    call.on('error', broken);
    call.end(body);
  });
}
