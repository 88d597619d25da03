import { runCommandLine } from './command-line.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () =>
    interrupted.abort(new DOMException('Interrupted. No partial result was kept.', 'AbortError')),
  );
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  output: process,
  signal: interrupted.signal,
});
