import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { geneNames } from '../data/generated-file.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { add, newTimes, timed } from '../measure/spent.ts';
import { paths } from '../paths.ts';
import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';

export const rankedEnrichmentCase: BenchCase = {
  name: 'ranked-enrichment',
  title: 'sets × permutations of a ranking of 15,000 genes; peer: gseapy.prerank on as many threads',
  async run(context) {
    const { options, scratch, report } = context;
    const { sets: setCount = 2000, permutations = 1000 } = options;
    const dataset = await context.imported(sizeOf(options, { cells: 2000, genes: 15_000 }));
    const names = geneNames(dataset.size.genes);
    const bits = new SeededBits(2005);
    const draws = new Uint32Array(Math.max(names.length, 600));
    const ranking = () => {
      bits.drawInto(draws);
      return names.map((_, gene) => Math.tan(((draws[gene]! + 0.5) / 2 ** 32 - 0.5) * 2.6) + gene * 1e-9);
    };
    const lines = Array.from({ length: setCount }, (_, set) => {
      bits.drawInto(draws);
      // Most sets of a library are small: from 15 to 300 genes, 79 on average.
      const size = 15 + Math.floor(285 * (draws[0]! / 2 ** 32) ** 3.5);
      const genes = new Set(Array.from(draws.subarray(1, 1 + size), (draw) => names[draw % names.length]!));
      return [`SET ${set + 1}`, '', ...genes].join('\t');
    });
    const gmt = join(scratch, 'bench-ranked.gmt');
    await writeFile(gmt, `${lines.join('\n')}\n`);
    const server = await openAnalysisServer(dataset);
    const peer = await openAnalysisPeer(context, dataset);
    const times = { ours: newTimes(), theirs: newTimes(), split: newTimes() };
    try {
      await promisify(execFile)(
        process.execPath,
        [paths.cli, 'genesets', 'add', gmt, '--name', 'Ranked', '--replace'],
        { env: { ...process.env, ...server.environment } },
      );
      const run = (values: readonly number[], method: string) =>
        timed(server, async () => {
          const body = {
            ranking: { source: 'own', genes: names, values },
            library_name: 'Ranked',
            permutations,
            method,
          };
          return (await server.client.call('perform-ranked-enrichment', body)).milliseconds;
        });
      for (let round = 0; round < (options.repeat ?? 3); round++) {
        report(`  round ${round + 1}`);
        const values = ranking();
        add(times.ours, await run(values, 'permutation'));
        add(times.split, await run(values, 'multilevel'));
        const request = {
          do: 'prerank',
          genes: names,
          values,
          gmt,
          permutations,
          threads: availableParallelism(),
        };
        if (peer) add(times.theirs, await timed(peer, () => peer.time(request)));
      }
      return {
        results: [
          {
            quantity: 'permutations, over HTTP with table and bar plot',
            unit: 's',
            ours: times.ours.clock,
            ...(peer && { peer: times.theirs.clock }),
            target: { kind: 'ratio-at-least', limit: 5 },
          },
          {
            quantity: 'the same, of the processor',
            unit: 's',
            ours: times.ours.processor,
            ...(peer && { peer: times.theirs.processor }),
          },
          { quantity: 'multilevel p-values, over HTTP', unit: 's', ours: times.split.clock },
        ],
        notes: [
          `${setCount} sets of 15 to 300 genes, ${lines.reduce((sum, line) => sum + line.split('\t').length - 2, 0)} in all; ${permutations} permutations; ${availableParallelism()} threads each`,
        ],
      };
    } finally {
      await server.close();
      await peer?.close();
    }
  },
};
