import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildFailed } from '../measure/child.ts';

const startLimitMs = 180_000;

export interface StartedProcess {
  readonly address: string;
  /** Of the process started: the server itself, or what leads to it. */
  readonly pid: number;
  /** From the start of the process to the first answer of /healthz. */
  readonly millisecondsToServing: number;
  stop(): Promise<void>;
}

/** Starts a program that serves on PORT and waits until it does. Throws ChildFailed. */
export async function startServing(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Promise<StartedProcess> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const [program, ...args] = command;
  const name = command.join(' ');
  const started = performance.now();
  // In a group of its own, so that a signal reaches the server through whatever started it.
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
  });
  const dropped = () => signalGroup(child);
  process.once('exit', dropped);
  while (!(await serves(address))) {
    if (child.exitCode !== null) throw new ChildFailed(name, `ended with ${child.exitCode} before it served`);
    if (performance.now() - started > startLimitMs) {
      signalGroup(child);
      throw new ChildFailed(name, `did not serve within ${startLimitMs / 1000} s`);
    }
    await sleep(10);
  }
  return {
    address,
    pid: child.pid!,
    millisecondsToServing: performance.now() - started,
    async stop() {
      process.removeListener('exit', dropped);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      signalGroup(child);
      await ended;
      // What was started through another program may outlive it by a moment.
      while (await serves(address)) await sleep(50);
    },
  };
}

function signalGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}

async function serves(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/healthz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
