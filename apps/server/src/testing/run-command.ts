import { Writable } from 'node:stream';
import { runCommandLine } from '../ops/command-line.ts';

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line in this process: a separate process takes a second to start. */
export async function runCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await runCommandLine(words, {
    environment: { ...process.env, ...settings },
    output: { stdout, stderr },
    signal: new AbortController().signal,
  });
  return { code, out: stdout.text, err: stderr.text };
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
