import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { countTables } from '@/features/tables/held-table.fixture.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices, type FakeServices, json } from '@/testing/fakes.ts';
import { geneSetEnrichment, pathwayAnswer, testModules } from './result.fixture.ts';
import { useAnalysisRuns } from './use-analysis-runs.ts';

const path = '/api/perform-pathway-analysis';
let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.answer(path, () => json(pathwayAnswer()));
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <ServicesContext value={fake.services}>
    <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
  </ServicesContext>
);

function open() {
  const of = { datasetName: 'd', title: 'Tumour', version: '1', group: null, cells: 700, subsets: [] };
  const page = renderHook(() => useAnalysisRuns({ modules: testModules, draftKey: 'runs', ...of }), {
    wrapper,
  });
  const runs = () => page.result.current;
  const start = (genes: string) =>
    act(async () => runs().runPrepared(geneSetEnrichment, { pathway_genes: genes }, datasetAnalysis()));
  const isIdle = () => waitFor(() => expect(runs().running).toBeNull());
  return {
    ...page,
    runs,
    start,
    isIdle,
    /** Runs an analysis; returns the id of its tab. */
    run: async (genes: string): Promise<string> => {
      await start(genes);
      await isIdle();
      await waitFor(() => expect(runs().activeTab?.shown).toBeDefined());
      return runs().activeTab!.id;
    },
  };
}

const requestCount = () => fake.requests.filter((request) => request.path === path).length;

test('an analysis that is removed while it is computed again stops, and its tabs are closed', async () => {
  const first = open();
  const one = await first.run('CD3D');
  const other = await first.run('CD3E');
  await act(async () => first.runs().compare([one, other]));
  first.unmount();
  fake.answer(path, () => new Promise(() => {}));
  const { runs, run } = open();
  await waitFor(() => expect(runs().running?.again).toBe(one));
  fake.answer(path, () => json(pathwayAnswer()));
  await act(async () => runs().remove(one));
  expect(runs().tabs.map(({ id }) => id)).toEqual([other]);
  await waitFor(() => expect(runs().activeTab?.shown).toBeDefined());
  expect(runs().running).toBeNull();
  const third = await run('CD79A');
  expect(runs().tabs.map(({ id }) => id)).toEqual([other, third]);
});

test('while the analyses of the account load, no other result than the active one is computed', async () => {
  fake.auth.signIn();
  const lists = '/api/datasets/d/kept-analyses';
  const stored: { id: string }[] = [];
  fake.answer(lists, ({ method, body }) => {
    if (method === 'POST' && stored.length === 0) stored.push(body as { id: string });
    else if (method === 'POST') return json({ code: 'x', message: 'Busy.' }, 503);
    return json({ analyses: stored });
  });
  const first = open();
  const ofAccount = await first.run('CD3D');
  const ofTab = await first.run('CD3E');
  await act(async () => first.runs().openTab(ofAccount));
  expect(first.runs().tabs.map(({ id }) => id)).toEqual([ofAccount, ofTab]);
  first.unmount();
  const list = Promise.withResolvers<Response>();
  fake.answer(lists, () => list.promise);
  const before = requestCount();
  const { runs } = open();
  expect(runs().list.isLoading).toBe(true);
  await waitFor(() => expect(runs().tabs.map(({ id }) => id)).toEqual([ofTab]));
  expect(runs().activeTab).toBeUndefined();
  list.resolve(json({ analyses: stored }));
  await waitFor(() => expect(runs().activeTab).toMatchObject({ id: ofAccount }));
  await waitFor(() => expect(runs().activeTab?.shown).toBeDefined());
  expect(requestCount()).toBe(before + 1);
});

test('a result that arrives while another tab is shown leaves that tab its result', async () => {
  const first = open();
  const missing = await first.run('G0');
  const oldest = await first.run('G1');
  first.unmount();
  const { runs, run } = open();
  await waitFor(() => expect(runs().activeTab?.shown).toBeDefined());
  // Fills the memory.
  for (let place = 2; place <= 10; place++) {
    // oxlint-disable-next-line no-await-in-loop
    await run(`G${place}`);
  }
  const answer = Promise.withResolvers<Response>();
  fake.answer(path, () => answer.promise);
  await act(async () => runs().openTab(missing));
  await waitFor(() => expect(runs().running?.again).toBe(missing));
  await act(async () => runs().openTab(oldest));
  const before = requestCount();
  await act(async () => answer.resolve(json(pathwayAnswer())));
  await waitFor(() => expect(runs().tabs.find(({ id }) => id === missing)?.shown).toBeDefined());
  expect(runs().activeTab).toMatchObject({ id: oldest, shown: [{}] });
  expect(requestCount()).toBe(before);
});

test('each table is closed once, also that of an answer which is read when its tab or the dataset is left', async () => {
  const reading = Promise.withResolvers<void>();
  const isRead = { now: Promise.resolve() };
  const tables = countTables(() => isRead.now);
  const first = open();
  const one = await first.run('CD3D');
  expect(tables.open.size).toBe(1);
  first.unmount();
  await waitFor(() => expect(tables.open.size).toBe(0));
  isRead.now = reading.promise;

  const second = open();
  await waitFor(() => expect(tables.open.size).toBe(1));
  await act(async () => second.runs().closeTab(one));
  await second.start('CD3E');
  await waitFor(() => expect(tables.open.size).toBe(2));
  second.unmount();
  reading.resolve();
  await waitFor(() => expect(tables.open.size).toBe(0));
  expect(tables.closed).toHaveLength(new Set(tables.closed).size);
});

test('the table of an answer that breaks the contract is closed', async () => {
  const tables = countTables();
  fake.answer(path, () => json({ ...pathwayAnswer(), sets: null }));
  const { start, runs } = open();
  await start('CD3D');
  await waitFor(() => expect(runs().error).not.toBeNull());
  await waitFor(() => expect(tables.closed).toHaveLength(1));
  expect(tables.open.size).toBe(0);
});
