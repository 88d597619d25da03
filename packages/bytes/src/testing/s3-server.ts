import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('./s3-server-child.ts', import.meta.url));

/** An S3 server for tests in a separate process, with its objects in a temporary folder. */
export interface S3Server {
  readonly url: string;
  readonly folder: string;
  /** Files of multipart uploads that were neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-s3-'));
  const server = fork(child, [folder], { stdio: 'ignore' });
  const [message] = (await Promise.race([
    once(server, 'message'),
    once(server, 'exit').then(([code]) => Promise.reject(new Error(`The S3 server ended with ${code}.`))),
  ])) as [{ port: number }];
  const send = async (order: 'pause' | 'resume'): Promise<void> => {
    server.send(order);
    await once(server, 'message');
  };
  const endpoint = encodeURIComponent(`http://127.0.0.1:${message.port}`);
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1/cells/some/where?endpoint=${endpoint}`,
    folder,
    unfinished: async () =>
      (await readdir(join(folder, 'cells', '._S3rver_uploads'), { recursive: true }).catch(() => [])).filter(
        (name) => name.includes('/'),
      ),
    pause: () => send('pause'),
    resume: () => send('resume'),
    stop: async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
