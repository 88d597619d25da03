import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { day } from './day.ts';

const usage = `npm run faults -- [options]

  A day of several users on a cluster (PostgreSQL, S3, two processes that serve, two that work) while faults come:
  processes are killed, databases restarted, object stores fail, disks fill, clocks jump. In the end no acknowledged
  write may be lost, no figure wrong, nothing left over, and no answer without a reason.

  --faults 500   how many
  --seed N       the same faults and users again (otherwise a new one, which is printed)
  --users 5
  --pace 2000    milliseconds between two faults, on average
  --minutes 600  after which no more come
`;

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
    users: { type: 'string', default: '5' },
    pace: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '600' },
    help: { type: 'boolean', default: false },
  },
});
const told = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

/** Here, with file systems that go when the process does, whatever ends it. */
async function main(): Promise<number> {
  if (values.help) return process.stdout.write(usage) ? 0 : 1;
  const shared =
    process.env['CELLFOLIO_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
  const file = join(shared, 'data/pbmc68k_reduced.h5ad');
  if (!existsSync(file)) {
    process.stderr.write(`A day needs ${file}: set CELLFOLIO_SHARED to the folder that has data/.\n`);
    return 1;
  }
  const seed = Number(values.seed);
  told(`seed ${seed}`);
  const report = await day({
    seed,
    faults: Number(values.faults),
    users: Number(values.users),
    pace: Number(values.pace),
    time: Number(values.minutes) * 60_000,
    file,
    log: told,
  });
  told(`faults: ${report.faults.map(([name, times]) => `${name} ${times}`).join(', ')}`);
  for (const [what, times] of report.counts) told(`  ${what}: ${times}`);
  told(`${report.findings.length} kinds of findings`);
  for (const line of report.findings) told(`  ${line}`);
  told(
    report.findings.length === 0
      ? 'All was well.'
      : `NOT all was well; again: --seed ${seed} --faults ${values.faults}`,
  );
  return report.findings.length === 0 ? 0 : 1;
}

/** Whatever ends the run, its processes and file systems go with it. */
const namespaces = ['--mount', '--pid', '--mount-proc', '--fork', '--kill-child'];
const inOwnNamespace = 'CELLFOLIO_FAULTS_NAMESPACE';
if (process.getuid?.() === 0 && process.env[inOwnNamespace] === undefined && !values.help) {
  const script = fileURLToPath(import.meta.url);
  const child = spawn('unshare', [...namespaces, process.execPath, script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, [inOwnNamespace]: 'yes' },
  });
  child.on('exit', (code) => process.exit(code ?? 1));
} else process.exit(await main());
