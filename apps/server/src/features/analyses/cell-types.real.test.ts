import { cellTypes, type GroupSuggestion } from '@cellfolio/analyses';
import { analysisCall } from '@cellfolio/contract';
import { createRandom, parseMarkers } from '@cellfolio/analysis';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { importPbmc68k } from '../../testing/import-file.ts';
import { abridgedMarkersCsv } from '../reference-lists/marker-lists.ts';

const expectedTypes: readonly (readonly [label: string, types: readonly string[]])[] = [
  ['CD14+ Monocyte', ['Classical monocyte']],
  ['CD19+ B', ['B cell']],
  ['CD34+', ['Hematopoietic stem and progenitor cell']],
  ['CD4+/CD25 T Reg', ['Regulatory T cell', 'CD4 T cell']],
  ['CD4+/CD45RA+/CD25- Naive T', ['CD4 T cell']],
  ['CD4+/CD45RO+ Memory', ['CD4 T cell']],
  ['CD56+ NK', ['NK cell']],
  ['CD8+ Cytotoxic T', ['CD8 T cell']],
  ['CD8+/CD45RA+ Naive Cytotoxic', ['CD8 T cell', 'CD4 T cell']],
  [
    'Dendritic',
    ['Conventional dendritic cell 2', 'Conventional dendritic cell 1', 'Plasmacytoid dendritic cell'],
  ],
];

describe('on real blood cells', () => {
  let server: SharedServer;
  let api: ReturnType<typeof apiClient>;

  beforeAll(async () => {
    server = await shareTestServer(importPbmc68k);
    api = apiClient(server, await server.signIn('standard'), 'pbmc-types');
    await api.get('/api/dataset_analysis/pbmc.h5ad');
  });

  async function suggested(more: object): Promise<readonly GroupSuggestion[]> {
    const { status, body } = await api.post('/api/suggest-cell-types', {
      min_cells: 2,
      min_markers: 2,
      ...more,
    });
    expect([status, body.message]).toEqual([200, undefined]);
    return analysisCall(cellTypes).answer.parse(body).suggestions;
  }

  test('most labels of the file are the best type of their cells, and what is suggested for them', async () => {
    const suggestions = await suggested({ groupby: 'bulk_labels' });
    const typesOf = new Map(expectedTypes);
    const isExpected = (group: string, type: string) => typesOf.get(group)!.includes(type);
    const best = suggestions.filter((one) => isExpected(one.group, one.best!.type));
    const wrong = suggestions.filter(
      ({ group, suggestion }) => suggestion !== null && !isExpected(group, suggestion),
    );
    const withSuggestion = suggestions.filter(({ suggestion }) => suggestion !== null);
    console.info(
      `best type right: ${best.length} of ${suggestions.length}; suggested: ${withSuggestion.length}, wrong: ${wrong.length}`,
    );
    if (process.env['CELLFOLIO_SAY']) for (const one of suggestions) console.info(lineOf(one));
    expect(best.length).toBeGreaterThanOrEqual(7);
    expect(wrong.length).toBeLessThanOrEqual(2);
  });

  test('markers drawn at random from the genes of the file are Unclear in most groups', async () => {
    const { body } = await api.get('/api/dataset_analysis/pbmc.h5ad');
    const library: string[] = body.gene_library;
    const sizes = parseMarkers(abridgedMarkersCsv, 'abridged').types.map(
      ({ genes }) => genes.filter((gene) => library.includes(gene)).length,
    );
    const random = createRandom('shuffled markers');
    let [groups, suggestions] = [0, 0];
    for (let round = 0; round < 6; round++) {
      const lines = sizes.flatMap((size, type) => {
        const genes = Array.from(
          { length: size },
          () => library[Math.floor(random.uniform() * library.length)]!,
        );
        return size === 0 ? [] : [`Type ${type},${genes.join(' ')}`];
      });
      for (const { suggestion } of await suggested({
        groupby: 'bulk_labels',
        own_markers: ['cell_type,gene', ...lines].join('\n'),
      })) {
        groups++;
        if (suggestion !== null) suggestions++;
      }
    }
    console.info(`of ${groups} groups with shuffled markers ${groups - suggestions} are Unclear`);
    expect(suggestions / groups).toBeLessThan(0.1);
  });
});

function lineOf({ group, suggestion, best, runner_up: next, margin }: GroupSuggestion): string {
  const of = (one: typeof best) =>
    `${one?.type} ${one?.score.toFixed(1)} (${one?.expressed}/${one?.markers.length})`;
  return `${group}: ${suggestion ?? 'Unclear'} | ${of(best)} > ${of(next)}, margin ${margin.toFixed(2)}`;
}
