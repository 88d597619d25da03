import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  compileLibrary,
  GeneBackground,
  type GeneSet,
  overRepresentation,
  readGmt,
} from '@cellfolio/analysis';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { geneNames, genesToDraw } from '../data/generated-file.ts';
import { SeededBits, shareOf } from '../data/seeded-bits.ts';
import { mebibyte } from '../measure/child.ts';
import { type Spent, spentResults, sum, timed } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { type DatasetServer, withContenders } from '../server/running-server.ts';

const signatureSize = 200;

export const signatureCase: BenchCase = {
  name: 'signature',
  title: 'signature of 200 genes, and a gene percentile filter, over HTTP; peers: scanpy and numpy',
  async run(context) {
    const { options, report } = context;
    const dataset = await context.imported(sizeOf(options, { cells: 100_000, genes: 20_000 }));
    const rounds = options.repeat ?? 5;
    // One for warming up, then two per round: to draw and to filter by.
    const count = 1 + 2 * rounds;
    const names = genesToDraw(dataset.model, signatureSize * count);
    // Interleaved, so that each signature has frequent and rare genes.
    const signatures = Array.from({ length: count }, (_, at) =>
      names.filter((_, gene) => gene % count === at),
    );
    return withContenders(context, dataset, async ({ client, peak }, peer) => {
      const [drawn, scored, theirs]: [number[], number[], number[]] = [[], [], []];
      const [filters, peerFilters]: [number[], number[]] = [[], []];
      const call = async (path: string, body: object) => (await client.call(path, body)).milliseconds;
      const score = async (genes: readonly string[]) =>
        (await call('plot-signature-enrichment', { genes, score_name: 'Bench' })) / 1000;
      const filter = (of: object) => call('filter-active-dataset', { subset_group_name: 'bench', ...of });
      // The first one includes the means of all genes, which are cached.
      const first = await score(signatures[0]!);
      await peer?.time({ do: 'score', genes: signatures[0] });
      for (const genes of signatures.slice(1, 1 + rounds)) {
        report('  signature');
        drawn.push(await score(genes));
        if (peer) theirs.push((await peer.time({ do: 'score', genes })) / 1000);
      }
      for (const genes of signatures.slice(1 + rounds)) {
        const signature = { genes, score_name: 'Bench', min_percentile: 10, max_percentile: 90 };
        scored.push((await filter({ signature_filter: true, signature })) / 1000);
      }
      await filter({ subset_group_name: 'Default' });
      for (const name of genesToDraw(dataset.model, 20)) {
        const byGene = (min_percentile: number, max_percentile: number) =>
          filter({
            gene_filter: true,
            gene: { name, presence: 'percentile', min_percentile, max_percentile },
          });
        // Other percentiles first, so that the values of the gene are cached.
        await byGene(5, 95);
        filters.push(await byGene(10, 90));
        if (peer) peerFilters.push(await peer.time({ do: 'percentile', gene: name }));
      }
      return {
        results: [
          {
            quantity: 'signature scored, cells filtered by it',
            unit: 's',
            ours: scored,
            peer: peer && theirs,
            target: { kind: 'ratio-at-least', limit: 10 },
          },
          { quantity: 'signature scored and drawn', unit: 's', ours: drawn, peer: peer && theirs },
          { quantity: 'first signature on a dataset', unit: 's', ours: [first] },
          {
            quantity: 'gene percentile filter, warm',
            unit: 'ms',
            ours: filters,
            peer: peer && peerFilters,
            target: { kind: 'median-at-most', limit: 50 },
          },
          {
            quantity: 'peak memory',
            unit: 'MiB',
            ours: [peak() / mebibyte],
            peer: peer && [peer.peak() / mebibyte],
            target: { kind: 'each-at-most', limit: 1024 },
          },
        ],
        notes: [
          `${dataset.size.cells} cells × ${dataset.size.genes} genes; each signature has different genes`,
          'the peer only scores, without drawing; scanpy has X as CSR, numpy takes the column from CSC',
        ],
      };
    });
  },
};

/** Writes a library and adds it to those of a server. Returns its file. */
async function addLibrary(
  { environment }: DatasetServer,
  scratch: string,
  { name, sets }: { name: string; sets: readonly GeneSet[] },
): Promise<string> {
  const gmt = join(scratch, `bench-${name}.gmt`);
  await writeFile(gmt, sets.map(({ name: set, genes }) => `${[set, '', ...genes].join('\t')}\n`).join(''));
  const words = [paths.cli, 'genesets', 'add', gmt, '--name', name, '--replace'];
  await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...environment } });
  return gmt;
}

const [setCount, queryCount] = [6000, 500];

export const enrichmentCase: BenchCase = {
  name: 'enrichment',
  title: '500 genes against 6,000 sets; peer: gseapy.enrich, the sets in memory',
  async run(context) {
    const { options, scratch } = context;
    const dataset = await context.imported(sizeOf(options, { cells: 2000, genes: 20_000 }));
    const background = geneNames(dataset.size.genes);
    const bits = new SeededBits(6000);
    const drawn = (count: number) => {
      const draws = new Uint32Array(count);
      bits.drawInto(draws);
      return [...draws];
    };
    const pick = (count: number) => [
      ...new Set(drawn(count).map((draw) => background[draw % background.length]!)),
    ];
    const sets = Array.from({ length: setCount }, (_, set) => ({
      name: `SET ${set + 1}`,
      genes: pick(10 + (drawn(1)[0]! % 491)),
    }));
    return withContenders(context, dataset, async (server, peer) => {
      const gmt = await addLibrary(server, scratch, { name: 'Bench', sets });
      // Parsed beforehand, as by the peer.
      const library = readGmt(await readFile(gmt, 'utf8'), gmt).sets;
      const [over, inside, theirs]: [number[], number[], number[]] = [[], [], []];
      const run = async (genes: readonly string[]) => {
        const body = { pathway_genes: genes, library_name: 'Bench' };
        return (await server.client.call('perform-pathway-analysis', body)).milliseconds;
      };
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
      return {
        results: [
          {
            quantity: 'over HTTP, with table and bar plot',
            unit: 'ms',
            ours: over,
            peer: peer && theirs,
            target: { kind: 'ratio-at-least', limit: 20 },
          },
          {
            quantity: 'compiled and tested in one process',
            unit: 'ms',
            ours: inside,
            peer: peer && theirs,
            target: { kind: 'median-at-most', limit: 100 },
          },
          { quantity: 'first call for a library, over HTTP', unit: 'ms', ours: [first] },
        ],
        notes: [`${queryCount} genes, ${setCount} sets of 10 to 500, ${background.length} background genes`],
      };
    });
  },
};

export const rankedEnrichmentCase: BenchCase = {
  name: 'ranked-enrichment',
  title: 'sets × permutations of a ranking of 15,000 genes; peer: gseapy.prerank on as many threads',
  async run(context) {
    const { options, scratch, report } = context;
    const { sets: count = 2000, permutations = 1000 } = options;
    const dataset = await context.imported(sizeOf(options, { cells: 2000, genes: 15_000 }));
    const names = geneNames(dataset.size.genes);
    const threads = availableParallelism();
    const bits = new SeededBits(2005);
    const draws = new Uint32Array(Math.max(names.length, 600));
    const ranking = () => {
      bits.drawInto(draws);
      return names.map((_, gene) => Math.tan((shareOf(draws[gene]!) - 0.5) * 2.6) + gene * 1e-9);
    };
    const sets = Array.from({ length: count }, (_, set) => {
      bits.drawInto(draws);
      // Most sets of a library are small: from 15 to 300 genes, 79 on average.
      const size = 15 + Math.floor(285 * (draws[0]! / 2 ** 32) ** 3.5);
      const genes = new Set(Array.from(draws.subarray(1, 1 + size), (draw) => names[draw % names.length]!));
      return { name: `SET ${set + 1}`, genes: [...genes] };
    });
    return withContenders(context, dataset, async (server, peer) => {
      const gmt = await addLibrary(server, scratch, { name: 'Ranked', sets });
      const [ours, theirs, multilevel]: [Spent[], Spent[], Spent[]] = [[], [], []];
      const run = (values: readonly number[], method: string) =>
        timed(server, async () => {
          const own = { source: 'own', genes: names, values };
          const body = { ranking: own, library_name: 'Ranked', permutations, method };
          return (await server.client.call('perform-ranked-enrichment', body)).milliseconds;
        });
      for (let round = 0; round < (options.repeat ?? 3); round++) {
        report(`  round ${round + 1}`);
        const values = ranking();
        ours.push(await run(values, 'permutation'));
        multilevel.push(await run(values, 'multilevel'));
        const request = { do: 'prerank', genes: names, values, gmt, permutations, threads };
        if (peer) theirs.push(await timed(peer, () => peer.time(request)));
      }
      const clock = { kind: 'ratio-at-least', limit: 5 } as const;
      return {
        results: [
          ...spentResults('permutations, with table and bar plot', ours, peer && theirs, clock),
          ...spentResults('multilevel p-values', multilevel, undefined),
        ],
        notes: [
          `${count} sets of 15 to 300 genes, ${sum(sets.map(({ genes }) => genes.length))} in all; ${permutations} permutations; ${threads} threads each; over HTTP`,
        ],
      };
    });
  },
};
