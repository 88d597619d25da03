import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attacker.ts';
import { type Attacker, attackersAddress } from '../attacker.ts';

const connections = 50;
const images = 10;
const imageBytes = 3 * 2 ** 20;
/** `content-length` of a body that is sent at one byte per second. */
const announced = 1_000_000;

export const slowClients: Attack = {
  name: 'slow-clients',
  title: `${connections} connections that read large responses, or send bodies, at one byte per second`,
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
    const plots = (lane: number) =>
      JSON.stringify({
        genes: Array.from({ length: 50 }, (_, i) => genes[(lane * 50 + i) % genes.length]),
        violin_plot: true,
      });
    const kinds: readonly ((lane: number) => Request)[] = [
      () => ({ method: 'GET', path: '/rest/v1/generated_images?select=image_data' }),
      () => ({ method: 'GET', path: `/storage/v1/object/user-files/${userId}/slow.tsv` }),
      (lane) => ({ method: 'POST', path: '/api/plot-umap-with-genes', body: plots(lane) }),
      () => ({ method: 'POST', path: '/api/export-cells', body: '{"metadata":true}' }),
      () => ({ method: 'POST', path: '/api/export-dataset', body: '{}' }),
      () => ({ method: 'POST', path: '/rest/v1/subset_metadata', announced }),
      () => ({ method: 'POST', path: `/storage/v1/object/user-files/${userId}/late.tsv`, announced }),
    ];
    await attacker.inParallel(connections, signal, (lane) =>
      sendSlowly(attacker, kinds[lane % kinds.length]!(lane), signal),
    );
  },
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly announced?: number;
}

function textOf(attacker: Attacker, { method, path, body, announced: bytes }: Request): string {
  const length = bytes ?? (body === undefined ? undefined : Buffer.byteLength(body));
  const headers = {
    host: new URL(attacker.data.address).host,
    ...attacker.headers(),
    ...(length !== undefined && { 'content-type': 'application/json', 'content-length': String(length) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

async function sendSlowly(attacker: Attacker, request: Request, signal: AbortSignal): Promise<void> {
  const socket = connect({
    port: Number(new URL(attacker.data.address).port),
    host: '127.0.0.1',
    localAddress: attackersAddress,
  });
  let status = 0;
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(textOf(attacker, request));
  try {
    while (!signal.aborted && !socket.destroyed && !socket.readableEnded) {
      await sleep(1000, undefined, { signal }).catch(() => undefined);
      if (request.announced !== undefined && socket.writable) socket.write(' ');
      // First everything that has arrived, for the status.
      const read = socket.read(status === 0 ? undefined : 1) as Buffer | null;
      if (status === 0 && read)
        status = Number(/^HTTP\/1\.1 (\d{3})/.exec(read.toString('latin1'))?.[1] ?? 0);
    }
  } finally {
    attacker.count(status);
    socket.destroy();
  }
}
