import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands before the server at `baseURL` and sends pages whose `pieces` are more than one with `wait` before each
 * further piece; returns its address and how to stop it.
 */
export async function slowPages(
  baseURL: string,
  pieces: (path: string, page: Buffer) => readonly Buffer[],
  wait: (path: string) => Promise<unknown>,
  onRequest: (path: string) => void = () => {},
): Promise<{ address: string; stop: () => Promise<void> }> {
  const between = createServer((request, response) => {
    void (async () => {
      const path = request.url!;
      const answer = await fetch(new URL(path, baseURL));
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      onRequest(path);
      const [first, ...others] = pieces(path, body);
      response.write(first);
      for (const piece of others) {
        await wait(path);
        response.write(piece);
      }
      response.end();
    })();
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    stop: async () => {
      between.closeAllConnections();
      await new Promise((done) => between.close(done));
    },
  };
}
