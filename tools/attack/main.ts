import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postgresPrograms } from '@cellfolio/platform/testing';
import { openContext } from '../../bench/src/bench-context.ts';
import type { Attack } from './attacker.ts';
import { startAttackedServer } from './attacked-server.ts';
import { attackNamed, attacks } from './attacks.ts';
import { type AttackReport, measureAttack } from './measure-attack.ts';
import {
  isReleased,
  maxFactor,
  negligibleMilliseconds,
  type Phase,
  phases,
  spreadOf,
  verdictOn,
  watchedKinds,
} from './statistics.ts';

const usage = `npm run attack -- [options]

Each attack runs against a new server, while other users draw genes, sign in and check /healthz.

  --only NAME     one attack; repeatable: ${attacks.map(({ name }) => name).join(', ')}
  --postgres      on PostgreSQL instead of the embedded database
  --seconds N     duration of each phase (default: 12)
  --rounds N      number of rounds, each with all phases (default: 2)
  --quiet N       seconds without calls before the final memory is measured (default: 60)
  --cells N       cells of the largest dataset (default: 20000)
  --scratch DIR   folder for data (default: a temporary one)
  --keep          keep the generated datasets for the next run
  --help
`;

const text = { type: 'string' } as const;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      postgres: { type: 'boolean', default: false },
      seconds: { ...text, default: '12' },
      rounds: { ...text, default: '2' },
      quiet: { ...text, default: '60' },
      cells: text,
      scratch: { ...text, default: join(tmpdir(), 'cellfolio-attack') },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return true;
  }
  const chosen = values.only?.map(attackNamed) ?? attacks;
  const programs = values.postgres ? postgresPrograms() : undefined;
  if (values.postgres && programs === undefined) throw new Error('The PostgreSQL server is not installed.');
  const plan = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    quietSeconds: Number(values.quiet),
  };
  const { scratch } = values;
  await mkdir(scratch, { recursive: true });
  const context = openContext({
    options: { cells: values.cells === undefined ? undefined : Number(values.cells), density: 0.08 },
    scratch,
    python: undefined,
    peer: false,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(
    `Held: no call of other users fails, and p50 and p95 are at most ${maxFactor} times those before (twice, plus 25 % for noise) or ${negligibleMilliseconds} ms more, or 1.25 times those of the control (the same work requested normally), where there is one.\n`,
  );
  const lost: string[] = [];
  try {
    for (const attack of chosen) {
      const server = await startAttackedServer(context, programs);
      try {
        const report = await measureAttack(attack, server, plan);
        if (verdictOn(report.samples).outcome !== 'held') lost.push(attack.name);
        process.stdout.write(
          `\n${attackText(attack, programs === undefined ? 'embedded' : 'PostgreSQL', report)}\n`,
        );
      } catch (error) {
        lost.push(attack.name);
        process.stdout.write(`\n${attack.name}: NOT MEASURED: ${String(error)}\n`);
      } finally {
        await server.remove();
      }
    }
  } finally {
    if (!values.keep) await rm(scratch, { recursive: true, force: true });
  }
  process.stdout.write(
    `\n${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}. ${lost.length === 0 ? 'All attacks were held.' : `Not held: ${lost.join(', ')}.`}\n`,
  );
  return lost.length === 0;
}

// Servers are stopped by listeners of `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const count = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, calls]) => `${status === 0 ? 'broken' : status}: ${calls}`)
    .join(', ') || 'none';

function attackText(
  { name, title }: Pick<Attack, 'name' | 'title'>,
  database: string,
  { samples, statuses, recoveries, memory, curve }: AttackReport,
): string {
  const times = watchedKinds.map((kind) => {
    const of = (phase: Phase) => spreadOf(samples, kind, phase);
    const cells = phases
      .filter((phase) => !Number.isNaN(of(phase).median))
      .map((phase) => `${phase} ${of(phase).median.toFixed(0)}/${of(phase).p95.toFixed(0)}`);
    const [before, during] = [of('before'), of('during')];
    return `  ${kind.padEnd(10)} p50/p95 ms  ${cells.join('  ')}  × ${(during.median / before.median).toFixed(1)}/${(during.p95 / before.p95).toFixed(1)}`;
  });
  const others = new Map<number, number>();
  for (const { status } of samples) others.set(status, (others.get(status) ?? 0) + 1);
  const { outcome, reasons } = verdictOn(samples);
  const every = Math.max(1, Math.ceil(curve.length / 24));
  return [
    `${name} (${database}): ${title}`,
    ...times,
    `  responses  others ${count(others)}; attacker ${count(statuses)}`,
    `  recovery   ${recoveries.map((one) => `${one.toFixed(1)} s`).join(', ')} until plots took at most twice their normal time`,
    `  memory     before ${memory.before.toFixed(0)}, peak ${memory.peak.toFixed(0)}, idle ${memory.after.toFixed(0)} MiB: ${isReleased(memory) ? 'released' : 'NOT RELEASED'}`,
    `             every ${every} s: ${curve
      .filter((_, i) => i % every === 0)
      .map((one) => one.toFixed(0))
      .join(' ')}`,
    `  verdict    ${[outcome.toUpperCase(), reasons.join('; ')].filter(Boolean).join(': ')}`,
  ].join('\n');
}

process.exit((await main()) ? 0 : 1);
