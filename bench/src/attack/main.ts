import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postgresPrograms } from '@cellfolio/platform/testing';
import { openContext } from '../open-context.ts';
import { startAttackedServer } from './attacked-server.ts';
import { attackNamed, attacks } from './attacks/index.ts';
import { measureAttack } from './measure-attack.ts';
import { attackText } from './report.ts';
import { unnoticed, verdictOn, worstFactor } from './statistics.ts';

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
process.exit((await main()) ? 0 : 1);
