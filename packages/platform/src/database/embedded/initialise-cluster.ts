import { fork } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { syncFolder } from '@cellfolio/bytes';
import { EngineError } from '../errors.ts';

/**
 * Makes an empty cluster in the folder `cluster`, which must not exist. A process of its own does it, because that
 * takes 600 MB which a long-lived one would not give back; the folder is synced and then moved into place whole.
 */
export async function initialiseCluster(cluster: string): Promise<void> {
  const draft = `${cluster}.new`;
  // What an interrupted first start left; the caller holds the lock of the folder.
  rmSync(draft, { recursive: true, force: true });
  await runChild(draft);
  renameSync(draft, cluster);
  await syncFolder(dirname(cluster));
}

function runChild(draft: string): Promise<void> {
  const script = fileURLToPath(new URL('./initialise-cluster-child.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(script, [draft], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let complaint = '';
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (complaint = (complaint + text).slice(-4000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const end = signal ? `was ended by ${signal}` : `ended with code ${String(code)}`;
      reject(new EngineError(`Making the embedded database failed: the process ${end}. ${complaint.trim()}`));
    });
  });
}
