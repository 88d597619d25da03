import { Agent, request } from 'node:http';

/** A call to be made, and from which loopback address: the server counts by address. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** 127.0.0.1 unless told. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface Reply {
  /** 0 where the connection broke before there was one. */
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

/** Makes a call and reads the whole answer; longer ones than `keep` bytes are read and dropped. Never throws. */
export function ask(address: string, question: Question, keep = 1 << 20): Promise<Reply> {
  const { method, path, headers, body, from = '127.0.0.1', signal } = question;
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
