import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server of our own, reached by a socket in a temporary folder. */
export interface PostgresProcess {
  readonly url: string;
  /** Milliseconds of processor time that its processes have taken, those that have ended included. */
  coreTime(): number;
  stop(): void;
}

/** With the settings of the package, its write to the disk before each commit included. */
export function startPostgres(programs: string): PostgresProcess {
  const folder = mkdtempSync(join(tmpdir(), 'cellfolio-bench-postgres-'));
  // It refuses to run as root; there its own account does it.
  const account = process.getuid?.() === 0 ? accountOf('postgres') : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...parameters: string[]): void => {
    execFileSync(join(programs, program), parameters, { cwd: folder, stdio: 'ignore', ...account });
  };
  const stop = (): void => {
    run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
    rmSync(folder, { recursive: true, force: true });
  };
  run('initdb', '-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=100`;
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  process.once('exit', stop);
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url: `postgresql://owner@localhost/postgres?host=${encodeURIComponent(folder)}`,
    coreTime: () => coreTimeOf(pid),
    stop: () => {
      process.removeListener('exit', stop);
      stop();
    },
  };
}

/** Of a process and its children; of those that have ended to the hundredth of a second, as the kernel keeps it. */
function coreTimeOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  // After the name, which is in brackets and may hold anything: the fields from the third on.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const ended = 10 * (Number(fields[13]) + Number(fields[14]));
  return [pid, ...children].reduce<number>((sum, one) => {
    try {
      return sum + Number(readFileSync(`/proc/${one}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // It has ended since.
      return sum;
    }
  }, ended);
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
