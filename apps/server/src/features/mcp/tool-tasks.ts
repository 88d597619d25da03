import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyScope } from '@cellfolio/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Member } from '../../runtime/http/access.ts';
import { limits } from '../../runtime/limits/limits.ts';

const pollMilliseconds = 2000;

/** A task as the extension `io.modelcontextprotocol/tasks` has it. */
export interface TaskState {
  readonly taskId: string;
  readonly status: 'working' | 'completed' | 'cancelled' | 'failed';
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The result of a completed task. */
  readonly result?: CallToolResult;
  /** The error of a failed task. */
  readonly error?: { readonly code: number; readonly message: string };
}

interface StoredTask {
  readonly userId: string;
  /** Scope of its tool, which the caller needs to read the result. */
  readonly scope: KeyScope;
  readonly stop: AbortController;
  /** The work goes on, also where the task was canceled. */
  isRunning: boolean;
  /** Size of the result as JSON. */
  bytes: number;
  state: TaskState;
}

interface ToolWork {
  readonly caller: Member;
  readonly scope: KeyScope;
  /** Aborts when the client goes away before it has a task or the result. */
  readonly clientGone: AbortSignal;
  readonly run: (signal: AbortSignal, report: (message: string) => Promise<void>) => Promise<CallToolResult>;
  /** Receives the stages until there is a task. */
  readonly notify: (message: string) => Promise<void>;
}

export interface TaskLimits {
  readonly runningPerUser: number;
  readonly bytesPerUser: number;
  readonly bytes: number;
  readonly milliseconds: number;
}

const defaultLimits: TaskLimits = {
  runningPerUser: limits.runningToolTasks.value,
  bytesPerUser: limits.toolTaskBytes.value,
  bytes: limits.allToolTaskBytes.value,
  milliseconds: limits.toolTaskMinutes.value * 60_000,
};

/** Calls of tools that go on after their request, with their results, in the memory of this process. */
export class ToolTasks {
  readonly #tasks = new Map<string, StoredTask>();
  readonly #afterMilliseconds: number;
  readonly #limits: TaskLimits;
  readonly #onFailure: (error: unknown) => void;

  /** Work that takes longer than `afterMilliseconds` becomes a task. */
  constructor({
    afterMilliseconds,
    onFailure,
    limits: bounds = defaultLimits,
  }: {
    afterMilliseconds: number;
    onFailure: (error: unknown) => void;
    limits?: TaskLimits;
  }) {
    this.#afterMilliseconds = afterMilliseconds;
    this.#onFailure = onFailure;
    this.#limits = bounds;
  }

  /** The result of work that ends soon, or whose user has as many tasks as may run; otherwise its task. */
  async run({ caller, scope, clientGone, run, notify }: ToolWork): Promise<CallToolResult | TaskState> {
    const stop = new AbortController();
    const end = () => stop.abort(clientGone.reason);
    if (clientGone.aborted) end();
    clientGone.addEventListener('abort', end, { once: true });
    const stored: { task?: StoredTask } = {};
    let statusMessage: string | undefined;
    const working = run(stop.signal, async (message) => {
      statusMessage = message;
      if (stored.task) update(stored.task, { statusMessage });
      else await notify(message);
    });
    const waited = new AbortController();
    try {
      const ended = await Promise.race([
        working,
        sleep(this.#afterMilliseconds, undefined, { signal: waited.signal }),
      ]);
      if (ended) return ended;
    } finally {
      waited.abort();
    }
    if (clientGone.aborted || this.#running(caller.userId) >= this.#limits.runningPerUser) return working;
    clientGone.removeEventListener('abort', end);
    const task = this.#add({ userId: caller.userId, scope, stop }, statusMessage);
    stored.task = task;
    void this.#follow(task, working);
    return task.state;
  }

  /** Undefined for a task that is over, or of another user, or whose tool the key of the caller does not open. */
  get(taskId: string, caller: Member): TaskState | undefined {
    return this.#own(taskId, caller)?.state;
  }

  /** Whether there is such a task; one that has ended stays as it is. */
  cancel(taskId: string, caller: Member): boolean {
    const task = this.#own(taskId, caller);
    if (task?.state.status === 'working') {
      update(task, { status: 'cancelled' });
      task.stop.abort(new Error('The client canceled the task.'));
    }
    return task !== undefined;
  }

  close(): void {
    for (const taskId of this.#tasks.keys()) this.#remove(taskId);
  }

  #own(taskId: string, { userId, scopes }: Member): StoredTask | undefined {
    const task = this.#tasks.get(taskId);
    return task?.userId === userId && (scopes?.includes(task.scope) ?? true) ? task : undefined;
  }

  #running(userId: string): number {
    return [...this.#tasks.values()].filter((task) => task.userId === userId && task.isRunning).length;
  }

  #add(of: Pick<StoredTask, 'userId' | 'scope' | 'stop'>, statusMessage: string | undefined): StoredTask {
    const taskId = randomUUID();
    const createdAt = new Date().toISOString();
    const state: TaskState = {
      taskId,
      status: 'working',
      ...(statusMessage !== undefined && { statusMessage }),
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: this.#limits.milliseconds,
      pollIntervalMs: pollMilliseconds,
    };
    const task = { ...of, isRunning: true, bytes: 0, state };
    this.#tasks.set(taskId, task);
    setTimeout(() => this.#remove(taskId), this.#limits.milliseconds).unref();
    return task;
  }

  #remove(taskId: string): void {
    const task = this.#tasks.get(taskId);
    this.#tasks.delete(taskId);
    task?.stop.abort(new Error('The time of the task is over.'));
  }

  async #follow(task: StoredTask, working: Promise<CallToolResult>): Promise<void> {
    try {
      const result = await working;
      if (task.state.status !== 'working') return;
      task.bytes = Buffer.byteLength(JSON.stringify(result));
      update(task, { status: 'completed', result });
      this.#makeRoom(task);
    } catch (error) {
      if (task.stop.signal.aborted) return;
      update(task, { status: 'failed', error: { code: -32603, message: 'Internal error' } });
      this.#onFailure(error);
    } finally {
      task.isRunning = false;
    }
  }

  /** Drops the oldest results, those of the user of `newest` first, and never its own. */
  #makeRoom(newest: StoredTask): void {
    const drop = (tasks: readonly StoredTask[], maximum: number) => {
      let bytes = tasks.reduce((sum, task) => sum + task.bytes, 0);
      for (const task of tasks) {
        if (bytes <= maximum) return;
        if (task === newest || task.bytes === 0) continue;
        bytes -= task.bytes;
        this.#tasks.delete(task.state.taskId);
      }
    };
    const all = () => [...this.#tasks.values()];
    drop(
      all().filter(({ userId }) => userId === newest.userId),
      this.#limits.bytesPerUser,
    );
    drop(all(), this.#limits.bytes);
  }
}

function update(task: StoredTask, change: Partial<TaskState>): void {
  if (task.state.status !== 'working') return;
  task.state = { ...task.state, ...change, lastUpdatedAt: new Date().toISOString() };
}
