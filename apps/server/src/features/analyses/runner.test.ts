import type { Context, Analysis } from '@cellfolio/analyses/serve';
import { composition } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/index.ts';
import { AnalysisRunner } from './runner.ts';

const selection = (change: object = {}) =>
  ({ manifest: { id: 'd', version: '1' }, subset: undefined, ...change }) as unknown as Selection;

function call(signal = new AbortController().signal): CallContext & { readonly stages: string[] } {
  const stages: string[] = [];
  return { signal, users: () => ['u'], onProgress: ({ stage }) => stages.push(stage), stages };
}

const noLists = {
  version: () => Promise.resolve(''),
  mappingVersion: () => Promise.resolve(''),
  refuseReplaced: () => {},
};

type TestContext = Context & { readonly joined: CallContext };

/** An analysis that counts its runs, and ends when it is told to or cancelled. */
function counting(scoreVersion = () => Promise.resolve('')) {
  const seen = { runs: 0, cancelled: 0, finish: () => {}, fail(_error: Error) {} };
  const one = {
    declaration: composition,
    facts: () => [{ code: 'a', title: 'A', message: 'one' }],
    run: async (request: object, context: TestContext) => {
      seen.runs += 1;
      context.report('Working');
      await new Promise<void>((resolve, reject) => {
        let isDone = false;
        seen.finish = () => {
          isDone = true;
          resolve();
        };
        seen.fail = reject;
        const { signal } = context.joined;
        signal.addEventListener('abort', () => {
          if (!isDone) seen.cancelled += 1;
          reject(signal.reason as Error);
        });
      });
      return {
        request,
        result: { by: 'type' },
        table: {},
        cautions: [
          { code: 'unlabelled-cells', numbers: { unlabelled: 1 } },
          { code: 'few-samples', message: 'Few.' },
        ],
        drawing: {},
      };
    },
  } as unknown as Analysis;
  const runner = new AnalysisRunner(
    async (_, __, joined) => {
      const report = (stage: string) => joined.onProgress({ stage, done: 0, total: 1 });
      return { report, joined } as unknown as Context;
    },
    noLists,
    scoreVersion,
  );
  const started = async (runs: number) => {
    await expect.poll(() => seen.runs).toBe(runs);
  };
  return { seen, one, runner, started };
}

test('equal requests at the same time run once and all get its progress; the result is kept until its dataset is forgotten', async () => {
  const { seen, one, runner, started } = counting();
  const calls = [call(), call(), call()];
  const results = calls.map((waiting) => runner.run(one, selection(), { k: 1 }, waiting));
  await started(1);
  seen.finish();
  const [first, ...others] = await Promise.all(results);
  for (const other of others) expect(other).toBe(first);
  for (const { stages } of calls) expect(stages).toEqual(['Working']);
  expect(await runner.run(one, selection(), { k: 1 }, call())).toBe(first);
  expect(seen.runs).toBe(1);
  runner.forget('other');
  await runner.run(one, selection(), { k: 1 }, call());
  expect(seen.runs).toBe(1);
  runner.forget('d');
  const again = runner.run(one, selection(), { k: 1 }, call());
  await started(2);
  seen.finish();
  await again;
});

test('another request, version, part of the cells or state of a column of one’s own is another result', async () => {
  const { seen, one, runner, started } = counting();
  const subset = { subset_group_name: 'B', cell_type: ['B cell'] };
  const own = (revision: number) => [{ id: 'o', revision, name: 'mine' }];
  const questions: [Selection, object][] = [
    [selection(), { k: 1 }],
    [selection(), { k: 2 }],
    [selection({ manifest: { id: 'd', version: '2' } }), { k: 1 }],
    [selection({ subset }), { k: 1 }],
    [selection({ own: own(1) }), { k: 1 }],
    [selection({ own: own(2) }), { k: 1 }],
  ];
  for (const [at, [cells, request]] of questions.entries()) {
    const result = runner.run(one, cells, request, call());
    await started(at + 1);
    seen.finish();
    await result;
  }
  // The name of a subset changes no cell.
  await runner.run(one, selection({ subset: { ...subset, subset_group_name: 'C' } }), { k: 1 }, call());
  expect(seen.runs).toBe(questions.length);
});

test('work goes on while one of its callers waits, is cancelled when all have gone, and no failure is kept', async () => {
  const { seen, one, runner, started } = counting();
  const [first, second] = [new AbortController(), new AbortController()];
  const gone = runner.run(one, selection(), {}, call(first.signal));
  const secondRun = runner.run(one, selection(), {}, call(second.signal));
  await started(1);
  first.abort();
  await expect(gone).rejects.toThrow(/abort/i);
  expect(seen.cancelled).toBe(0);
  seen.finish();
  await secondRun;
  const alone = new AbortController();
  const cancelled = runner.run(one, selection(), { k: 2 }, call(alone.signal));
  await started(2);
  alone.abort();
  await expect(cancelled).rejects.toThrow(/abort/i);
  expect(seen.cancelled).toBe(1);
  const failed = runner.run(one, selection(), { k: 3 }, call());
  await started(3);
  seen.fail(new Error('no memory'));
  await expect(failed).rejects.toThrow('no memory');
  const repeated = runner.run(one, selection(), { k: 3 }, call());
  await started(4);
  seen.finish();
  await repeated;
});

test('a caution gets its text from the declaration, made of its numbers and the result', async () => {
  const { seen, one, runner, started } = counting();
  const result = runner.run(one, selection(), {}, call());
  await started(1);
  seen.finish();
  expect((await result).cautions).toEqual([
    {
      code: 'unlabelled-cells',
      message: '1 cell of A or B has no value in type and counts in no share: label them to include them.',
      numbers: { unlabelled: 1 },
    },
    { code: 'few-samples', message: 'Few.' },
  ]);
});

test('parts that do not depend on all of a request are computed once, until the library of a score changes', async () => {
  let version = '1';
  const parts: string[] = [];
  const { one, runner } = counting(() => Promise.resolve(version));
  const analysis = {
    ...one,
    scored: () => ({ of: 'signature' }),
    run: async ({ k, genes }: { k: number; genes: string }, context: Context) => {
      const part = await context.shared('part', { k }, async ({ report }) => {
        report('Working');
        parts.push(`${k} of ${version}`);
        return { k };
      });
      return { request: { k, genes }, result: part, table: {}, cautions: [], drawing: {} };
    },
  } as unknown as Analysis;
  const run = (k: number, genes: string) => runner.run(analysis, selection(), { k, genes }, call());
  const [first, second] = await Promise.all([run(1, 'a'), run(1, 'b')]);
  expect(second.result).toBe(first.result);
  await run(2, 'a');
  expect(parts).toEqual(['1 of 1', '2 of 1']);
  version = '2';
  await run(1, 'a');
  expect(parts).toEqual(['1 of 1', '2 of 1', '1 of 2']);
  runner.forget('d');
  await run(1, 'a');
  expect(parts).toHaveLength(4);
});
