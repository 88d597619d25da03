import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCase } from '../bench-context.ts';
import type { Result } from '../measure/result.ts';
import { mebibyte, processMemory } from '../measure/process-memory.ts';
import { paths } from '../paths.ts';
import {
  makeUploader,
  removeUpload,
  signInUploader,
  uploadInParts,
  type Uploader,
  uploadWhole,
} from '../server/send-upload.ts';
import { startServing } from '../server/server-process.ts';

const bytes = 2 * 10 ** 9;
/** What hosted projects take, and so what the web app sends. */
const partBytes = 6 * mebibyte;
const name = '1_large.h5ad';

const ways: readonly (readonly [string, (uploader: Uploader) => Promise<void>])[] = [
  ['in one request', (uploader) => uploadWhole(uploader, name, bytes)],
  ['in parts of 6 MiB (tus)', (uploader) => uploadInParts(uploader, name, { bytes, partBytes })],
];

/** How far the resident memory of the server rises while a large file comes in, to a folder and to a bucket. */
export const uploadMemoryCase: BenchCase = {
  name: 'upload-memory',
  title: 'an upload of 2 GB: memory of the server beyond what it had before',
  async run({ options, scratch, report }) {
    const results: Result[] = [];
    for (const [where, open] of [
      ['a folder', openFolder],
      ['S3', openBucket],
    ] as const) {
      const dataDir = await mkdtemp(join(scratch, 'upload-'));
      await makeUploader(dataDir);
      const store = await open(dataDir);
      const server = await startServing([process.execPath, paths.serverStart], {
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        DEMO: 'false',
        ...store.environment,
      });
      try {
        const uploader = await signInUploader(server.address);
        // What is loaded with the first upload is no cost of a large one.
        await uploadInParts(uploader, name, { bytes: 4 * partBytes, partBytes });
        for (const [how, upload] of ways) {
          const ours: number[] = [];
          for (let i = 0; i < (options.repeat ?? 1); i++) {
            await sleep(2000);
            const before = processMemory(server.pid).resident;
            forgetPeak(server.pid);
            const began = performance.now();
            await upload(uploader);
            const { peak } = processMemory(server.pid);
            ours.push((peak - before) / mebibyte);
            report(
              `  ${where}, ${how}: ${(before / mebibyte).toFixed(0)} MiB before, ${(peak / mebibyte).toFixed(0)} at most, ${((performance.now() - began) / 1000).toFixed(0)} s`,
            );
            await removeUpload(uploader, name);
          }
          const target = { kind: 'each-at-most', limit: 200 } as const;
          results.push({ quantity: `to ${where}, ${how}`, unit: 'MiB', ours, target });
        }
      } finally {
        await server.stop();
        await store.close();
        await rm(dataDir, { recursive: true, force: true });
      }
    }
    return { results, notes: [`${bytes / 10 ** 9} GB each; the server with its embedded database`] };
  },
};

interface OpenedStore {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function openFolder(): Promise<OpenedStore> {
  return { environment: {}, close: async () => {} };
}

/** The S3 server of the tests, in a process of its own. */
async function openBucket(dataDir: string): Promise<OpenedStore> {
  const child = fork(paths.s3Server, [join(dataDir, 'bucket')], { stdio: 'ignore', execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    environment: { OBJECT_STORE_URL: `s3://S3RVER:S3RVER@127.0.0.1/cells/some/where?endpoint=${endpoint}` },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The peak of a process counts from here on: that of its start is another matter. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
