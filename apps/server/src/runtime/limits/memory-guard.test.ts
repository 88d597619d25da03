import { expect, test } from 'vitest';
import { memoryGuard, reclaimableBytes } from './memory-guard.ts';

const mebibyte = 2 ** 20;

test('memory is short when less than 5 % is available', () => {
  const guard = (available: number) =>
    memoryGuard(() => ({ used: 1000 * mebibyte, available: available * mebibyte }))();
  expect(guard(100)).toBe(false);
  expect(guard(40)).toBe(true);
});

test('a burst of calls measures once', () => {
  let looks = 0;
  let time = 0;
  const guard = memoryGuard(
    () => {
      looks += 1;
      return { used: 0, available: 1 };
    },
    () => time,
  );
  for (let call = 0; call < 100; call += 1) guard();
  expect(looks).toBe(1);
  time = 251;
  guard();
  expect(looks).toBe(2);
});

test('this process has memory left', () => {
  expect(memoryGuard()()).toBe(false);
});

const system = (files: Record<string, string>) => (path: string) => files[path];

test('the page cache can be reclaimed, except dirty pages', () => {
  const stat = 'anon 900\nfile 460\nactive_file 100\ninactive_file 300\nfile_dirty 30\nfile_writeback 5\n';
  expect(
    reclaimableBytes(system({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.stat': stat })),
  ).toBe(365);
  expect(
    reclaimableBytes(
      system({ '/proc/self/cgroup': '0::/a:b/c\n', '/sys/fs/cgroup/a:b/c/memory.stat': stat }),
    ),
  ).toBe(365);
});

test('version 1 of control groups has other names', () => {
  const groups = '5:cpu,cpuacct:/lab\n4:memory:/lab\n0::/\n';
  const stat =
    'inactive_file 1\nactive_file 1\ntotal_inactive_file 300\ntotal_active_file 100\ntotal_dirty 30\n';
  expect(
    reclaimableBytes(system({ '/proc/self/cgroup': groups, '/sys/fs/cgroup/memory/lab/memory.stat': stat })),
  ).toBe(370);
});

test('in a container that sees the path of the host, its own group is the root', () => {
  const files = {
    '/proc/self/cgroup': '4:memory:/docker/1f2e\n',
    '/sys/fs/cgroup/memory/memory.stat': 'total_inactive_file 7\n',
  };
  expect(reclaimableBytes(system(files))).toBe(7);
});

test('without statistics nothing counts as reclaimable', () => {
  expect(reclaimableBytes(system({}))).toBe(0);
  expect(reclaimableBytes(system({ '/proc/self/cgroup': '0::/\n' }))).toBe(0);
});
