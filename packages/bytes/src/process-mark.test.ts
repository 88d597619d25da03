import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunning, newMark, ownerState, ownIdentity } from './process-mark.ts';

test('a mark and an identity are those of a process that runs, until it has ended', async () => {
  const [host = '', pid = '', start = ''] = newMark().split('~');
  expect(ownerState(host, pid, start)).toBe('running');
  expect(isRunning(ownIdentity())).toBe(true);
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(ownerState(host, String(child.pid), start)).toBe('ended');
  expect(isRunning({ ...ownIdentity(), pid: child.pid! })).toBe(false);
});

test('another process with the same number is not taken for the one of a mark', () => {
  const [host = '', pid = '', start = ''] = newMark().split('~');
  const own = ownIdentity();
  if (own.boot === null || own.started === null) return console.warn('SKIPPED: no start times here.');
  expect(ownerState(host, pid, `${start}1`)).toBe('ended');
  expect(ownerState(host, pid, `0${start}`)).toBe('ended');
  expect(isRunning({ ...own, started: `${own.started}1` })).toBe(false);
  expect(isRunning({ ...own, boot: 'another' })).toBe(false);
});

test('the state of a process of another machine is unknown, and a mark that names no process counts as ended', () => {
  const [host = '', pid = '', start = ''] = newMark().split('~');
  expect(ownerState('00000000', pid, start)).toBe('elsewhere');
  expect(isRunning({ ...ownIdentity(), host: 'elsewhere' })).toBeUndefined();
  expect(ownerState(host, 'x', start)).toBe('ended');
});
