import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attacker.ts';
import { type Attacker, attackersAddress } from '../attacker.ts';

const connections = 50;
const images = 10;
const imageBytes = 3 * 2 ** 20;
/** Bytes of a body that never comes. */
const announced = 1_000_000;

/** Answers that are read a byte a second, and bodies that are sent so. */
export const slowClients: Attack = {
  name: 'slow-clients',
  title: `${connections} connections that read large answers, or send bodies, a byte a second`,
  async prepare(attacker) {
    const { userId } = attacker.data;
    const data = `data:image/png;base64,${'A'.repeat(imageBytes)}`;
    for (let i = 0; i < images; i += 1) {
      await attacker.send('POST', '/rest/v1/generated_images', {
        body: { user_id: userId, image_id: `slow-${i}`, title: 'slow', image_type: 'gene', image_data: data },
      });
    }
    await attacker.send('POST', `/storage/v1/object/user-files/${userId}/slow.tsv`, {
      body: Buffer.alloc(16 * 2 ** 20, 'x\t1\n'),
      headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
    });
    await attacker.send('GET', `/api/dataset_analysis/${encodeURIComponent(attacker.data.dataset)}`);
  },
  async run(attacker, signal) {
    const { userId, genes } = attacker.data;
    const plots = (place: number) =>
      JSON.stringify({
        genes: Array.from({ length: 50 }, (_, i) => genes[(place * 50 + i) % genes.length]),
        violin_plot: true,
      });
    const kinds: readonly ((place: number) => Request)[] = [
      () => ({ method: 'GET', path: '/rest/v1/generated_images?select=image_data' }),
      () => ({ method: 'GET', path: `/storage/v1/object/user-files/${userId}/slow.tsv` }),
      (place) => ({ method: 'POST', path: '/api/plot-umap-with-genes', body: plots(place) }),
      () => ({ method: 'POST', path: '/rest/v1/subset_metadata', announced }),
      () => ({ method: 'POST', path: `/storage/v1/object/user-files/${userId}/late.tsv`, announced }),
    ];
    await attacker.inParallel(connections, signal, (place) =>
      linger(attacker, kinds[place % kinds.length]!(place), signal),
    );
  },
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Bytes of a body that comes a byte a second. */
  readonly announced?: number;
}

/** A request as it goes over the line, with a whole body or none of what is announced. */
function lineOf(attacker: Attacker, { method, path, body, announced: bytes }: Request): string {
  const length = bytes ?? (body === undefined ? undefined : Buffer.byteLength(body));
  const headers = {
    host: new URL(attacker.data.address).host,
    ...attacker.headers(),
    ...(length !== undefined && { 'content-type': 'application/json', 'content-length': String(length) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Sends what is to be sent, then a byte of an announced body a second, and reads a byte a second, until it is hung up on. */
async function linger(attacker: Attacker, request: Request, signal: AbortSignal): Promise<void> {
  const socket = connect({
    port: Number(new URL(attacker.data.address).port),
    host: '127.0.0.1',
    localAddress: attackersAddress,
  });
  let status = 0;
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(lineOf(attacker, request));
  try {
    while (!signal.aborted && !socket.destroyed && !socket.readableEnded) {
      await sleep(1000, undefined, { signal }).catch(() => undefined);
      if (request.announced !== undefined && socket.writable) socket.write(' ');
      // The first line whole, so that it is known how it was answered.
      const read = socket.read(status === 0 ? undefined : 1) as Buffer | null;
      if (status === 0 && read)
        status = Number(/^HTTP\/1\.1 (\d{3})/.exec(read.toString('latin1'))?.[1] ?? 0);
    }
  } finally {
    attacker.count(status);
    socket.destroy();
  }
}
