import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { paths } from '../paths.ts';
import { type CallClass, callClasses } from './call-classes.ts';
import type { CallCost } from './measure-costs.ts';
import { assumed, type MeasuredCapacity, needsOf, waitsOf } from './scale-model.ts';
import { scaleTables, withTables } from './scale-page.ts';

const each = <T>(of: (name: CallClass) => T): Record<CallClass, T> =>
  Object.fromEntries(callClasses.map((name) => [name, of(name)])) as Record<CallClass, T>;

/** Every call takes 2 ms of the loop and 6 of a thread, and opening a dataset 10 ms and 5 for its index. */
const cost: CallCost = { loop: 2, database: 1, compute: 6, aside: 0, alone: [10] };
const measured: MeasuredCapacity = {
  on: '2026-01-01',
  machine: 'made up',
  costs: each(() => cost),
  shares: each((name) => (name === 'plot drawn' ? 1 : 0)),
  loads: [],
  figureBytes: 30_000,
  opening: { coreTime: 10, index: 5, reads: 5, memory: 1e6, cells: 1e4, genes: assumed.genes },
  importing: { processor: 3.6, bytes: 4e6, valueCount: 1e6 },
  memory: 1e9,
};

describe('what users and cells need', () => {
  test('follows the formulas of the page where every dataset is open', () => {
    const needs = needsOf(measured, { ...assumed, openDatasets: assumed.datasetsInUse });
    // 10,000 users × 0.1 × 6 / 60, 8 ms each: 0.8 cores of the 1.2 that one process may be busy.
    expect(needs).toMatchObject({ callsPerSecond: 100, callTime: 8, openingTime: 0, processes: 1 });
    expect(needs.processLimit).toEqual({ loop: 500, cores: 250 });
    // Twice 10^8 cells × 2000 values × 4 bytes.
    expect(needs.stored).toBe(1.6e12);
    // 2 × 10^11 values at 3.6 s a million.
    expect(needs.importCoreHours).toBeCloseTo(200, 6);
    expect(needs.firstCatalogue).toBe(100);
    expect(needs.getsPerSecond).toBe(200);
  });

  test('counts the datasets that have to be opened, fewer where calls are routed', () => {
    const anywhere = needsOf(measured);
    // 492 of 500 are not open: 15 ms in the loop and 10 in a thread.
    expect(anywhere.openingTime).toBeCloseTo(0.984 * 25, 6);
    // (8 + 24.6) ms × 100 / 1000 = 3.26 cores, of 1.2 a process.
    expect(anywhere.processes).toBe(3);
    const routed = needsOf(measured, { ...assumed, openDatasets: 100 }, true);
    expect(routed.foundOpen).toBeCloseTo(0.2 * routed.processes, 6);
    expect(routed.processes).toBeLessThan(anywhere.processes);
  });

  test('more users need more processes and the same storage', () => {
    const ten = needsOf(measured, { ...assumed, users: 100_000 });
    expect(ten.processes).toBeGreaterThan(7 * needsOf(measured).processes);
    expect(ten.stored).toBe(needsOf(measured).stored);
  });
});

test('plots wait longer the fuller the cores are', () => {
  const quiet = waitsOf(measured, 20, { seconds: 30 });
  const full = waitsOf(measured, 180, { seconds: 30 });
  expect(quiet.median).toBeLessThan(1.5 * 10);
  expect(full.p95).toBeGreaterThan(2 * quiet.p95);
  expect(full.busy).toBeGreaterThan(0.7);
});

test('the page has the tables that the measured figures give', async () => {
  const page = await readFile(paths.scalePage, 'utf8');
  const kept = JSON.parse(await readFile(paths.measuredCapacity, 'utf8')) as MeasuredCapacity;
  expect(withTables(page, scaleTables(kept))).toBe(page);
});

test('a page without a place for a table is refused, and what stood there goes', () => {
  const tables = new Map([['a', '| new |']]);
  expect(withTables('x\n<!-- a -->\nold\n<!-- /a -->\ny', tables)).toBe(
    'x\n<!-- a -->\n\n| new |\n\n<!-- /a -->\ny',
  );
  expect(() => withTables('x', tables)).toThrow('no place for the table a');
});
