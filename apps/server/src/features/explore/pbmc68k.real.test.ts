import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scanpyCellTest } from '@cellfolio/analysis/parameters';
import { encodeCells, mapOrder } from '@cellfolio/columns';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { beforeAll, describe, expect, test } from 'vitest';
import { importPbmc68k } from '../../testing/import-file.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

type MarkerRow = [string, string, ...number[]];
interface Reference {
  signature: string[];
  subsetTypes: string[];
  selectedRightOf: number;
  edges: number[];
  selectedCells: number;
  markers: Record<string, MarkerRow[]>;
  sides: [a: string, b: string];
  comparisons: Record<string, { genes: number; rows: [gene: string, ...numbers: number[]][] }>;
  meanScores: Record<'all' | 'subset', Record<string, number>>;
  counts: Record<string, number>;
  cellStates: Record<string, { found: number; of: number; means: Record<string, number> }>;
  enrichment: Record<
    'dataset' | 'library',
    { genes: string[]; tested: number; rows: [term: string, overlap: string, ...numbers: number[]][] }
  >;
}

/** Written by fixtures/analysis/server_reference.py. */
const reference = JSON.parse(
  await readFile(join(import.meta.dirname, 'pbmc68k-reference.json'), 'utf8'),
) as Reference;

const thirds = { by: 'quantiles', parts: 3 };

/** Removes the bounds from names of numeric bins, such as `0.01 to below 0.02`; the reference omits them. */
function withoutNumbers(group: string): string {
  return group
    .split(' ')
    .filter((word) => !/^[−-]?[\d.,]+$/.test(word))
    .join(' ');
}

describe('on real cells the server answers what scanpy answers', () => {
  let server: SharedServer;
  let api: ReturnType<typeof apiClient>;

  beforeAll(async () => {
    server = await shareTestServer(importPbmc68k);
    api = apiClient(server, await server.signIn('standard'), 'pbmc');
    await api.get('/api/dataset_analysis/pbmc.h5ad');
  });

  let selection: { version: string; places: string };
  beforeAll(async () => {
    const dataset = await openDataset(new FileObjectStore(server.settings.objectRoot), 'pbmc.h5ad');
    const embedding = await dataset.embedding('X_umap');
    const { values, dimensions } = embedding;
    const order = mapOrder(embedding);
    const bits = new Uint8Array(Math.ceil(order.length / 8));
    let count = 0;
    order.forEach((row, place) => {
      if (values[row * dimensions]! <= reference.selectedRightOf) return;
      bits[place >> 3]! |= 1 << (place & 7);
      count++;
    });
    expect(count).toBe(reference.selectedCells);
    selection = { version: dataset.manifest.version, places: encodeCells(bits, order.length) };
  });

  const all = { subset_group_name: 'Default' };
  const types = () => ({
    subset_group_name: 'Antigen presenting',
    cell_type_filter: true,
    cell_type: reference.subsetTypes,
  });
  const filter = (body: unknown) => api.post('/api/filter-active-dataset', body);

  test.each([
    ['wilcoxon', {}, all],
    ['wilcoxon tie_correct', { tie_correct: true }, all],
    ['t-test', { method: 't-test' }, all],
    ['wilcoxon on subset', {}, 'types'],
    ['wilcoxon of a selection', { selection: true }, all],
    ['t-test of a selection', { method: 't-test', selection: true }, all],
    ['wilcoxon of a selection on subset', { selection: true }, 'types'],
    ['wilcoxon split by phase', { split: { column: 'phase' } }, all],
    ['t-test split by phase', { method: 't-test', split: { column: 'phase' } }, all],
    ['wilcoxon split by phase on subset', { split: { column: 'phase' } }, 'types'],
    ['wilcoxon split by thirds of S_score', { split: { column: 'S_score', bins: thirds } }, all],
    ['wilcoxon by thirds of n_counts', { groupby: 'n_counts', bins: thirds }, all],
    [
      't-test by ranges of percent_mito',
      { method: 't-test', groupby: 'percent_mito', bins: { by: 'edges', edges: reference.edges } },
      all,
    ],
  ])('markers by %s are those of rank_genes_groups', async (name, options, cells) => {
    expect((await filter(cells === 'types' ? types() : cells)).status).toBe(200);
    const { status, body } = await api.post('/api/perform-marker-analysis', {
      groupby: 'bulk_labels',
      n_genes: 5,
      pvals_adj: 0.05,
      logfoldchanges: 0.25,
      ...scanpyCellTest,
      ...options,
      ...('selection' in options && { selection }),
    });
    expect(status).toBe(200);
    // Below the cautions.
    const [head, ...lines] = (body.marker_csv as string)
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(head).toBe('group,names,scores,logfoldchanges,pvals,pvals_adj,pct_nz_group,pct_nz_reference');
    const rows = new Map(
      lines
        .map((line) => line.replace(/"([^"]*)"/g, (_, text: string) => text.replaceAll(',', '')).split(','))
        .map((cells) => [`${withoutNumbers(cells[0]!)}|${cells[1]}`, cells]),
    );
    const expected = reference.markers[name]!;
    expect([...rows.keys()].sort()).toEqual(expected.map(([group, gene]) => `${group}|${gene}`).sort());
    for (const [group, gene, ...numbers] of expected) {
      const actual = rows.get(`${group}|${gene}`)!.slice(2).map(Number);
      numbers.forEach((number, column) => {
        expect(Math.abs(actual[column]! - number), `${group} ${gene} column ${column}`).toBeLessThanOrEqual(
          1e-6 * Math.abs(number),
        );
      });
    }
  });

  test.each([
    ['wilcoxon', {}, ''],
    ['wilcoxon tie_correct', { tie_correct: true }, ''],
    ['t-test', { method: 't-test' }, ''],
    ['wilcoxon in G1', { within: 'phase' }, 'G1'],
    ['t-test in S', { method: 't-test', within: 'phase' }, 'S'],
  ])(
    'one type against another by %s is what rank_genes_groups has with a reference',
    async (name, options, group) => {
      await filter(all);
      const [a, b] = reference.sides.map((type) => ({
        name: type,
        filter: { subset_group_name: type, cell_type_filter: true, cell_type: [type] },
      }));
      const { status, body } = await api.post('/api/perform-deg-analysis', {
        a,
        b,
        ...scanpyCellTest,
        ...options,
      });
      expect(status).toBe(200);
      const lines = (body.deg_csv as string)
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('#'));
      const prefix = group === '' ? '' : `${group},`;
      const ofGroup = lines.slice(1).filter((line) => line.startsWith(prefix));
      const rows = new Map(
        ofGroup.map((line) => line.slice(prefix.length).split(',')).map((row) => [row[0], row]),
      );
      const { genes, rows: expected } = reference.comparisons[name]!;
      expect(ofGroup).toHaveLength(genes);
      for (const [gene, ...numbers] of expected) {
        const actual = rows.get(gene)!.slice(1).map(Number);
        numbers.forEach((number, column) => {
          expect(Math.abs(actual[column]! - number), `${gene} column ${column}`).toBeLessThanOrEqual(
            1e-6 * Math.abs(number),
          );
        });
      }
    },
  );

  test.each([
    ['all', all],
    ['subset', 'types'],
  ] as const)('signature scores of %s cells are those of score_genes', async (name, cells) => {
    await filter(cells === 'types' ? types() : cells);
    const { status, body } = await api.post('/api/plot-signature-enrichment', {
      genes: reference.signature,
      score_name: 'Antigen presentation',
      violin_plot: true,
    });
    expect(status).toBe(200);
    const violin = body.plots.find((plot: { plot_type: string }) => plot.plot_type === 'violin');
    const means = Object.fromEntries(
      violin.figure.groups.map(({ label, mean }: { label: string; mean: number }) => [label, mean]),
    );
    expect(Object.keys(means).sort()).toEqual(Object.keys(reference.meanScores[name]).sort());
    for (const [label, mean] of Object.entries(reference.meanScores[name])) {
      expect(means[label]).toBeCloseTo(mean, 6);
    }
  });

  const states = Object.entries(reference.cellStates);
  function expectMeans(state: string, { groups }: { groups: { label: string; mean: number }[] }) {
    const { means } = reference.cellStates[state]!;
    expect(groups).toHaveLength(Object.keys(means).length);
    for (const { label, mean } of groups)
      expect(Math.abs(mean - means[label]!), `${state} in ${label}`).toBeLessThanOrEqual(1e-6);
  }

  test('every cell state is scored on its whole hallmark set, as score_genes scores it', async () => {
    await filter(all);
    expect(states.length).toBeGreaterThan(40);
    for (const [state, { found: matchCount, of }] of states) {
      const content = { kind: 'score-violin', of: 'cell-state', cell_state: state };
      const source = { dataset_filename: 'pbmc.h5ad', content };
      const { body } = await api.post('/api/render-figure', { source, format: 'json' });
      expect(body.unit).toContain(`${matchCount} of ${of} genes · MSigDB Hallmark 7.0`);
      expectMeans(state, body);
    }
  });

  test.each(states.filter((_, at) => at % 10 === 0))(
    'the figures of the cell state %s have the same scores, with its genes and its library',
    async (state, { found: matchCount, of }) => {
      await filter(all);
      const { status, body } = await api.post('/api/plot-umap-with-cell-state', {
        cell_state: state,
        violin_plot: true,
      });
      expect({
        status,
        matchCount: body.found_genes?.length,
        of: matchCount + body.not_found_genes?.length,
      }).toEqual({ status: 200, matchCount, of });
      expect(body.library).toMatchObject({ title: 'MSigDB Hallmark 7.0', licence: 'CC BY 4.0' });
      expectMeans(
        state,
        body.plots.find((plot: { plot_type: string }) => plot.plot_type === 'violin').figure,
      );
    },
  );

  test.each(['dataset', 'library'] as const)(
    'enrichment in the whole of GO against the genes of the %s is that of gseapy',
    async (kind) => {
      await filter(all);
      const { genes, tested, rows } = reference.enrichment[kind];
      const { status, body } = await api.post('/api/perform-pathway-analysis', {
        pathway_genes: genes,
        library_name: 'GO_Biological_Process_2023',
        background: { kind },
        minimum_overlap: 1,
      });
      expect({ status, tested: body.sets?.tested, sets: body.sets?.library }).toEqual({
        status: 200,
        tested,
        sets: 6036,
      });
      const csv = body.analysis_csv as string;
      expect(csv).toMatch(
        /^# Library: GO Biological Process 2021: .*release 2021.* License: CC BY 4\.0\. Cite: Ashburner/m,
      );
      expect(csv).toContain('\nGO Biological Process 2021,');
      const termRows = new Map(
        csv
          .split('\n')
          .filter((line) => line.startsWith('GO Biological Process 2021,'))
          .map((line) => {
            const [, term = '', overlap, numbers = ''] = /^[^,]*,(.*),(\d+\/\d+),(.*),[^,]*$/.exec(line)!;
            return [
              term.replace(/^"|"$/g, ''),
              { overlap, numbers: numbers.split(',').map(Number) },
            ] as const;
          }),
      );
      expect(termRows.size).toBe(tested);
      for (const [term, overlap, ...numbers] of rows) {
        const row = termRows.get(term);
        expect(row?.overlap, term).toBe(overlap);
        numbers.forEach((number, column) => {
          expect(Math.abs(row!.numbers[column]! - number), `${term} column ${column}`).toBeLessThanOrEqual(
            1e-6 * Math.abs(number),
          );
        });
      }
    },
  );

  test.each([
    ['CD79A positive', { gene_filter: true, gene: { name: 'CD79A', presence: 'positive' } }],
    ['CD79A negative', { gene_filter: true, gene: { name: 'CD79A', presence: 'negative' } }],
    [
      'CD74 10 to 90',
      {
        gene_filter: true,
        gene: { name: 'CD74', presence: 'percentile', min_percentile: 10, max_percentile: 90 },
      },
    ],
    [
      'signature 5 to 50',
      {
        signature_filter: true,
        signature: { genes: reference.signature, min_percentile: 5, max_percentile: 50 },
      },
    ],
  ])('the filter %s keeps as many cells as numpy says', async (name, part) => {
    const { body } = await filter({ subset_group_name: name, ...part });
    expect(body.cell_count).toBe(reference.counts[name]);
    const counts = Object.values(body.cell_type_counts as Record<string, number>);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(reference.counts[name]);
  });
});
