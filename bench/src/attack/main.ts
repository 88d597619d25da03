import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postgresPrograms } from '@cellfolio/platform/testing';
import { openContext } from '../bench-context.ts';
import type { Attack } from './attacker.ts';
import { startAttackedServer } from './attacked-server.ts';
import { attackNamed, attacks } from './attacks/index.ts';
import { type AttackReport, measureAttack } from './measure-attack.ts';
import { isGivenBack, spreadOf, unnoticed, verdictOn, watchedKinds, worstFactor } from './statistics.ts';

const usage = `npm run attack -- [options]

One user at a time attacks a server of its own, while others draw genes, sign in and look at /healthz.

  --only NAME     one attack; may be given more than once: ${attacks.map(({ name }) => name).join(', ')}
  --postgres      on PostgreSQL instead of the embedded database
  --seconds N     of each phase (12)
  --rounds N      times that a phase of rest and one of attack follow each other (2)
  --quiet N       seconds without calls before the memory is looked at again (60)
  --cells N       of the largest dataset (20000)
  --scratch DIR   where data goes (a folder of the system's temporary one)
  --keep          keep the generated datasets for the next run
  --help
`;

const text = { type: 'string' } as const;

/** Returns whether every attack was held. */
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
  if (values.postgres && programs === undefined)
    throw new Error('There are no PostgreSQL server programs here.');
  const plan = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    quietSeconds: Number(values.quiet),
  };
  const { scratch } = values;
  await mkdir(scratch, { recursive: true });
  const context = openContext({
    options: {
      cells: values.cells === undefined ? undefined : Number(values.cells),
      genes: undefined,
      density: 0.08,
      gzip: undefined,
      repeat: undefined,
    },
    scratch,
    python: undefined,
    peer: false,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(
    `Held: no call of others fails, and p50 and p95 are at most ${worstFactor} times those before (twice, and a quarter of that for noise) or ${unnoticed} ms more.\n`,
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

// Ended from outside: servers are stopped by what listens to `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const count = (answers: ReadonlyMap<number, number>): string =>
  [...answers]
    .sort(([a], [b]) => a - b)
    .map(([status, calls]) => `${status === 0 ? 'broken' : status}: ${calls}`)
    .join(', ') || 'none';

/** What was measured of an attack, as text: the others' times, everybody's answers, the memory and the verdict. */
export function attackText(
  { name, title }: Pick<Attack, 'name' | 'title'>,
  database: string,
  { samples, answers, recoveries, memory, curve }: AttackReport,
): string {
  const times = watchedKinds.map((kind) => {
    const [before, during, after] = (['before', 'during', 'after'] as const).map((phase) =>
      spreadOf(samples, kind, phase),
    );
    const cell = ({ half, most }: { half: number; most: number }) => `${half.toFixed(0)}/${most.toFixed(0)}`;
    return `  ${kind.padEnd(10)} p50/p95 ms  before ${cell(before!)}  during ${cell(during!)}  after ${cell(after!)}  × ${(during!.half / before!.half).toFixed(1)}/${(during!.most / before!.most).toFixed(1)}`;
  });
  const others = new Map<number, number>();
  for (const { status } of samples) others.set(status, (others.get(status) ?? 0) + 1);
  const { outcome, reasons } = verdictOn(samples);
  const every = Math.max(1, Math.ceil(curve.length / 24));
  return [
    `${name} (${database}): ${title}`,
    ...times,
    `  answers    others ${count(others)}; attacker ${count(answers)}`,
    `  recovery   ${recoveries.map((one) => `${one.toFixed(1)} s`).join(', ')} until plots took at most twice their usual time`,
    `  memory     before ${memory.before.toFixed(0)}, peak ${memory.peak.toFixed(0)}, after the quiet ${memory.after.toFixed(0)} MiB: ${isGivenBack(memory) ? 'given back' : 'NOT GIVEN BACK'}`,
    `             every ${every} s: ${curve
      .filter((_, i) => i % every === 0)
      .map((one) => one.toFixed(0))
      .join(' ')}`,
    `  verdict    ${[outcome.toUpperCase(), reasons.join('; ')].filter(Boolean).join(': ')}`,
  ].join('\n');
}

process.exit((await main()) ? 0 : 1);
