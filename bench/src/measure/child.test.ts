import { expect, onTestFinished, test } from 'vitest';
import { ChildFailed, LineServer, runForJson, parseStatus } from './child.ts';
const node = process.execPath;

test('the result is the JSON in the last line of a program', async () => {
  const script = `console.log('working'); console.log(JSON.stringify({ seconds: 2 }))`;
  expect(await runForJson(node, ['-e', script])).toEqual({ seconds: 2 });
});

test('a failing program is an error', async () => {
  await expect(runForJson(node, ['-e', 'console.log(1); process.exit(3)'])).rejects.toThrow(/ended with 3/);
});

test('a program answers many lines, and its end is an error', async () => {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { n } = JSON.parse(line);
    if (n === 0) process.exit(0);
    console.log(JSON.stringify({ n: n * 2 }));
  })`;
  const server = new LineServer(node, ['-e', script]);
  onTestFinished(() => server.close());
  expect(await server.ask({ n: 4 })).toEqual({ n: 8 });
  expect(await server.ask({ n: 5 })).toEqual({ n: 10 });
  await expect(server.ask({ n: 0 })).rejects.toThrow(ChildFailed);
});

test('memory is read from the status of a process, in bytes', () => {
  const status = 'Name:\tnode\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n';
  expect(parseStatus(status)).toEqual({ resident: 1_048_576, peak: 2_097_152 });
});

test('a status without memory, as of an ended process, is an error', () => {
  expect(() => parseStatus('Name:\tnode\nState:\tZ (zombie)\n')).toThrow(/no VmRSS/);
});
