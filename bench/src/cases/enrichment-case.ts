import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  compileLibrary,
  GeneBackground,
  type GeneSet,
  overRepresentation,
  readGmt,
} from '@cellfolio/analysis';
import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { geneNames } from '../data/generated-file.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { paths } from '../paths.ts';

const setCount = 6000;
const queryCount = 500;

export const enrichmentCase: BenchCase = {
  name: 'enrichment',
  title: '500 genes against 6,000 sets; peer: gseapy.enrich, the sets in memory',
  async run(context) {
    const { options, scratch } = context;
    const dataset = await context.imported(sizeOf(options, { cells: 2000, genes: 20_000 }));
    const background = geneNames(dataset.size.genes);
    const bits = new SeededBits(6000);
    const draws = (count: number) => {
      const draws = new Uint32Array(count);
      bits.drawInto(draws);
      return [...draws];
    };
    const pick = (count: number) => [
      ...new Set(draws(count).map((draw) => background[draw % background.length]!)),
    ];
    const sets: GeneSet[] = Array.from({ length: setCount }, (_, set) => ({
      name: `SET ${set + 1}`,
      genes: pick(10 + (draws(1)[0]! % 491)),
    }));
    const gmt = join(scratch, 'bench-library.gmt');
    await writeFile(gmt, sets.map(({ name, genes }) => `${[name, '', ...genes].join('\t')}\n`).join(''));
    // Parsed beforehand, as by the peer.
    const library = readGmt(await readFile(gmt, 'utf8'), gmt).sets;
    const server = await openAnalysisServer(dataset);
    const peer = await openAnalysisPeer(context, dataset);
    const over: number[] = [];
    const inside: number[] = [];
    const theirs: number[] = [];
    try {
      await promisify(execFile)(
        process.execPath,
        [paths.cli, 'genesets', 'add', gmt, '--name', 'Bench', '--replace'],
        {
          env: { ...process.env, ...server.environment },
        },
      );
      const run = async (genes: readonly string[]) =>
        (
          await server.client.call('perform-pathway-analysis', {
            pathway_genes: genes,
            library_name: 'Bench',
          })
        ).milliseconds;
      const first = await run(pick(queryCount));
      for (let round = 0; round < (options.repeat ?? 10); round++) {
        const genes = pick(queryCount);
        over.push(await run(genes));
        const started = performance.now();
        const named = new GeneBackground(background);
        overRepresentation(compileLibrary(library, named), named, genes);
        inside.push(performance.now() - started);
        if (peer) theirs.push(await peer.time({ do: 'enrich', genes, gmt }));
      }
      const against = peer && { peer: theirs };
      return {
        results: [
          {
            quantity: 'over HTTP, with table and bar plot',
            unit: 'ms',
            ours: over,
            ...against,
            target: { kind: 'ratio-at-least', limit: 20 },
          },
          {
            quantity: 'compiled and tested in one process',
            unit: 'ms',
            ours: inside,
            ...against,
            target: { kind: 'median-at-most', limit: 100 },
          },
          { quantity: 'first call for a library, over HTTP', unit: 'ms', ours: [first] },
        ],
        notes: [`${queryCount} genes, ${setCount} sets of 10 to 500, ${background.length} background genes`],
      };
    } finally {
      await server.close();
      await peer?.close();
    }
  },
};
