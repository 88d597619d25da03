import type { CallToolResult } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TaskLimits, type TaskState, ToolTasks } from './tool-tasks.ts';

const bounds: TaskLimits = { runningPerUser: 2, bytesPerUser: 1000, bytes: 1500, milliseconds: 60_000 };
const ada = { userId: 'ada' };
const bob = { userId: 'bob' };
const resultOf = (letters: number): CallToolResult => ({
  content: [{ type: 'text', text: 'x'.repeat(letters) }],
});
const unfailing = (error: unknown) => expect.unreachable(String(error));

let tasks: ToolTasks;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  tasks = new ToolTasks({ afterMilliseconds: 0, onFailure: unfailing, limits: bounds });
});
afterEach(() => {
  tasks.close();
  vi.useRealTimers();
});

/** Work that ends when the test says so. */
function begin(caller = ada, store = tasks) {
  const work = Promise.withResolvers<CallToolResult>();
  const gone = new AbortController();
  let signal: AbortSignal | undefined;
  const answer = store.run({
    caller,
    scope: 'analyse',
    clientGone: gone.signal,
    notify: async () => {},
    run: async (stopped) => {
      signal = stopped;
      stopped.addEventListener('abort', () => work.reject(stopped.reason));
      return work.promise;
    },
  });
  return { answer, work, gone, isStopped: () => signal!.aborted };
}
async function taskOf(begun: ReturnType<typeof begin>): Promise<TaskState> {
  const answer = await begun.answer;
  expect(answer).toHaveProperty('taskId');
  return answer as TaskState;
}
async function ended(caller: typeof ada, letters: number): Promise<string> {
  const begun = begin(caller);
  const { taskId } = await taskOf(begun);
  begun.work.resolve(resultOf(letters));
  await vi.waitFor(() => expect(tasks.get(taskId, caller)?.status).toBe('completed'));
  return taskId;
}

test('a client that leaves ends its work, but not its task', async () => {
  const slow = new ToolTasks({ afterMilliseconds: 1e6, onFailure: unfailing, limits: bounds });
  const waiting = begin(ada, slow);
  waiting.gone.abort(new Error('gone'));
  await expect(waiting.answer).rejects.toThrow('gone');
  const begun = begin();
  const { taskId } = await taskOf(begun);
  begun.gone.abort(new Error('gone'));
  expect([begun.isStopped(), tasks.get(taskId, ada)?.status]).toEqual([false, 'working']);
});

test('a user with as many tasks as may run gets the result itself, and others get tasks', async () => {
  const running = [begin(), begin()];
  for (const one of running) await taskOf(one);
  const third = begin();
  await taskOf(begin(bob));
  third.work.resolve(resultOf(1));
  expect(await third.answer).toEqual(resultOf(1));
  running[0]!.work.resolve(resultOf(1));
  await running[0]!.work.promise;
  await vi.waitFor(async () => taskOf(begin()));
});

test('a task is over after its time: running work ends, and a result is dropped', async () => {
  const completed = await ended(ada, 10);
  const begun = begin();
  const { taskId } = await taskOf(begun);
  // Waiting has passed some of it.
  vi.advanceTimersByTime(bounds.milliseconds - 1000);
  expect([tasks.get(completed, ada)?.status, tasks.get(taskId, ada)?.status]).toEqual([
    'completed',
    'working',
  ]);
  vi.advanceTimersByTime(1000);
  expect([tasks.get(completed, ada), tasks.get(taskId, ada)]).toEqual([undefined, undefined]);
  expect(begun.isStopped()).toBe(true);
});

test('the oldest results are dropped beyond the bytes of a user, and of all', async () => {
  const first = await ended(ada, 500);
  const ofBob = await ended(bob, 500);
  const second = await ended(ada, 600);
  expect([first, ofBob, second].map((id) => (tasks.get(id, ada) ?? tasks.get(id, bob))?.status)).toEqual([
    undefined,
    'completed',
    'completed',
  ]);
  const third = await ended({ userId: 'eve' }, 900);
  expect(tasks.get(ofBob, bob)).toBeUndefined();
  expect(tasks.get(third, { userId: 'eve' })?.status).toBe('completed');
});

test('another user and a key without the scope of the tool have no such task', async () => {
  const { taskId } = await taskOf(begin());
  expect(tasks.get(taskId, bob)).toBeUndefined();
  expect(tasks.cancel(taskId, bob)).toBe(false);
  expect(tasks.get(taskId, { ...ada, name: 'Key', scopes: ['read'] })).toBeUndefined();
  expect(tasks.get(taskId, { ...ada, name: 'Key', scopes: ['analyse'] })?.status).toBe('working');
});

test('work that fails is a failed task without its reason, which the server logs', async () => {
  const errors: unknown[] = [];
  const failing = new ToolTasks({
    afterMilliseconds: 0,
    onFailure: (error) => void errors.push(error),
    limits: bounds,
  });
  const begun = begin(ada, failing);
  const { taskId } = await taskOf(begun);
  begun.work.reject(new Error('secret'));
  await vi.waitFor(() => expect(failing.get(taskId, ada)?.status).toBe('failed'));
  expect(failing.get(taskId, ada)?.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(errors).toEqual([new Error('secret')]);
});
