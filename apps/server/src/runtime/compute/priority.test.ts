import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';

const module = new URL('./priority.ts', import.meta.url).href;
const script = `
  const { lowerHelperThreads } = await import(${JSON.stringify(module)});
  const { readdirSync, readFileSync } = await import('node:fs');
  lowerHelperThreads();
  const threads = readdirSync('/proc/self/task').map((thread) => {
    const [, name, rest] = /\\((.*)\\) (.*)/.exec(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8'));
    return [name, Number(rest.split(' ')[16])];
  });
  console.log(JSON.stringify(threads));
`;

test.runIf(process.platform === 'linux')(
  'the threads that compile and collect have a lower priority than the one that answers',
  () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const threads = JSON.parse(output) as [name: string, niceness: number][];
    const helpers = threads.filter(([name]) => name === 'V8Worker').map(([, niceness]) => niceness);
    expect(new Set(helpers)).toEqual(new Set([10]));
    expect(threads[0]![1]).toBe(getPriority());
  },
);

test.runIf(process.platform === 'linux')(
  'a process that was started with a lower priority stays there',
  () => {
    const lowered = `
    const { lowerHelperThreads, lowerThisThread } = await import(${JSON.stringify(module)});
    lowerThisThread();
    lowerHelperThreads();
    console.log((await import('node:os')).getPriority());
  `;
    const command = ['-n', '19', process.execPath, '--input-type=module', '-e', lowered];
    expect(execFileSync('nice', command, { encoding: 'utf8' }).trim()).toBe('19');
  },
);
