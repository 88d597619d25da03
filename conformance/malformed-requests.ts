import { connect } from 'node:net';

export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const hostileTexts = [
  '',
  '..',
  '../../etc/passwd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%00',
  '%',
  '%zz',
  '%c3%28',
  '\\',
  "' or 1=1 --",
  '"><script>alert(1)</script>',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '$(id)',
  'null',
  'NaN',
  '-1',
  '1e309',
  '99999999999999999999',
  '💥',
  'x'.repeat(5000),
  '[]',
  '{}',
  '{"__proto__":{"a":1}}',
  '\u0000',
  '{"prefix":"\\u0000"}',
  '{"prefixes":["\\ud800"]}',
  '{"expiresIn":1e999}',
];

export function malformed(request: RawRequest, random: () => number): RawRequest {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const corrupted = (text: string): string => {
    const at = Math.floor(random() * (text.length + 1));
    const kind = random();
    if (kind < 0.3) return text.slice(0, at) + pick(hostileTexts) + text.slice(at);
    if (kind < 0.5) return text.slice(0, at);
    if (kind < 0.6) return text.slice(0, at) + text.slice(at + 1);
    if (kind < 0.8) return pick(hostileTexts);
    return text.replace(/"[^"]*"|\d+/, JSON.stringify(pick(hostileTexts)));
  };
  const changed = { ...request, headers: { ...request.headers } };
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) {
    const names = Object.keys(changed.headers);
    const kind = random();
    if (kind < 0.35) {
      const segments = changed.path.split('/');
      const at = 1 + Math.floor(random() * (segments.length - 1));
      segments[at] = corrupted(segments[at] ?? '');
      changed.path = segments.join('/');
    } else if (kind < 0.7) changed.body = corrupted(changed.body);
    else if (kind < 0.8) changed.method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
    else if (names.length > 0) changed.headers[pick(names)] = corrupted(changed.headers[pick(names)] ?? '');
    else
      changed.headers[pick(['range', 'content-type', 'x-upsert', 'x-metadata', 'x-signature'])] =
        pick(hostileTexts);
  }
  return changed;
}

interface RawAnswer {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly text: string;
}

/** Sends a request over a plain socket, since fetch would correct parts of it. */
export function send(
  base: string,
  { method, path, headers, body }: RawRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { port, host } = new URL(base);
  const clean = (text: string) => [...text].filter((c) => c >= ' ' && c !== '\u007f').join('');
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${clean(value)}`);
  const payload = Buffer.from(body);
  // A space would end the address.
  const target = clean(path).replaceAll(' ', '%20');
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    // The connection may be closed after a response that came before the body was read.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: ${payload.byteLength}\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    socket.write(payload);
  });
}
