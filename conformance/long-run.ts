import { parseArgs } from 'node:util';
import { bentServices } from './bent-services.ts';
import { crowd } from './crowd.ts';
import { databases } from './databases.ts';
import { killRounds } from './kill-rounds.ts';

const usage = `npm run long -- kill|crowd|bent [options]

  kill    kills the server (SIGKILL) while it writes and looks for all it had acknowledged   --rounds 200
  crowd   signed-in users who read and write at once, each told only of its own              --users 200 --seconds 60
  bent    spoilt requests to every service, against what somebody else owns                  --requests 1000 --seed 1

  --database embedded|PostgreSQL   one of them instead of all that are here (crowd: PostgreSQL)
`;

/** Prints what was found and returns whether all was well. */
async function main(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '200' },
      users: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      database: { type: 'string' },
    },
  });
  const here = databases.map(({ name }) => name);
  const wanted = here.filter((name) => values.database === undefined || name === values.database);
  const told = (line: string) => process.stdout.write(`${line}\n`);
  switch (positionals[0]) {
    case 'kill': {
      let well = true;
      for (const kind of wanted) {
        const onRound = (round: number) => void (round % 10 === 0 && told(`${kind}: ${round} rounds`));
        const report = await killRounds(kind, Number(values.rounds), onRound);
        told(`${kind}: ${JSON.stringify(report)}`);
        const { orphans, uploads, dead, files, objects } = report.leftovers;
        well &&= report.lost.length === 0 && orphans + uploads + dead === 0 && files === objects;
      }
      return well;
    }
    case 'crowd': {
      let well = true;
      for (const kind of wanted.filter((name) => values.database !== undefined || name === 'PostgreSQL')) {
        const report = await crowd(kind, Number(values.users), Number(values.seconds));
        const { failures, foreign, ...numbers } = report;
        told(
          `${kind}: ${JSON.stringify({ ...numbers, failures: failures.length, foreign: foreign.length })}`,
        );
        for (const line of [...failures, ...foreign].slice(0, 50)) told(`  ${line}`);
        well &&= failures.length + foreign.length === 0;
      }
      return well;
    }
    case 'bent': {
      let well = true;
      for (const kind of wanted) {
        await bentServices(kind, Number(values.requests), Number(values.seed), (report) => {
          const { failures, leaks, ...numbers } = report;
          told(`${kind}: ${JSON.stringify({ ...numbers, failures: failures.length, leaks: leaks.length })}`);
          for (const line of [...failures, ...leaks].slice(0, 20)) told(`  ${line}`);
          well &&= failures.length + leaks.length === 0 && report.unharmed;
        });
      }
      return well;
    }
    default:
      process.stderr.write(usage);
      return false;
  }
}

const well = await main();
process.stdout.write(well ? 'All was well.\n' : 'NOT all was well.\n');
process.exit(well ? 0 : 1);
