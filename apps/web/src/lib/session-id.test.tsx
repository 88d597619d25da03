import { beforeEach, expect, test, vi } from 'vitest';

const key = 'cellfolio:session-id';

function stubLocks() {
  const lockNames = new Set<string>();
  vi.stubGlobal('navigator', {
    locks: {
      request: async (name: string, ...rest: unknown[]) => {
        const callback = rest.at(-1) as (lock: object | null) => unknown;
        const free = !lockNames.has(name);
        lockNames.add(name);
        return callback(free ? {} : null);
      },
    },
  });
}

async function startPage(): Promise<string> {
  vi.resetModules();
  return (await import('./session-id.ts')).sessionId();
}

beforeEach(() => {
  vi.unstubAllGlobals();
});

test('a tab has one id, which outlives a reload', async () => {
  stubLocks();
  const first = await startPage();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(sessionStorage.getItem(key)).toBe(first);
  // The reload gave the lock of the old page back.
  stubLocks();
  expect(await startPage()).toBe(first);
});

test('a duplicated tab, which starts with a copy of the storage, takes an id of its own', async () => {
  stubLocks();
  const first = await startPage();
  const second = await startPage();
  expect(second).not.toBe(first);
  expect(sessionStorage.getItem(key)).toBe(second);
});

test('without locks the stored id is used', async () => {
  sessionStorage.setItem(key, 'kept');
  vi.stubGlobal('navigator', {});
  expect(await startPage()).toBe('kept');
});
