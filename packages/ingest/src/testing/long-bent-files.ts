import { parseArgs } from 'node:util';
import { tryBentFiles } from './bent-files.ts';

// Files that are not as they should be, through everything that is done to an upload:
//     node packages/ingest/src/testing/long-bent-files.ts --files 2400 --first 0
// The same number is always the same file. Ends with 1 where one of them did not end in success or a clear error.
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2400' },
    first: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '30' },
    mebibytes: { type: 'string', default: '1024' },
  },
});
const started = performance.now();
const report = await tryBentFiles(
  Number(values.first),
  Number(values.files),
  { seconds: Number(values.seconds), memory: Number(values.mebibytes) * 2 ** 20 },
  (number) => void (number % 100 === 99 && process.stdout.write(`${number + 1} files\n`)),
);
for (const [ending, count] of [...report.endings].toSorted()) process.stdout.write(`${count}\t${ending}\n`);
for (const failure of report.failures) process.stdout.write(`${failure}\n`);
process.stdout.write(
  `${report.files} files, ${report.failures.length} failures; slowest ${report.slowestSeconds.toFixed(1)} s, ` +
    `peak ${(report.peak / 2 ** 20).toFixed(0)} MiB, ${((performance.now() - started) / 1000).toFixed(0)} s in all\n`,
);
process.exit(report.failures.length === 0 ? 0 : 1);
