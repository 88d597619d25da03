import { encodeCells, mapOrder } from '@cellfolio/columns';
import { filterAnswer, filterPreview } from '@cellfolio/contract';
import { markersAnswer } from '../analyses/testing/inline-analyses.ts';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnalysisDataset, hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { comparisonAnswer } from '../gene-comparisons/testing/comparison-answer.ts';

const id = 'analysis.h5ad';
const cellCount = 240;
let server: SharedServer;
let dataset: AnalysisDataset;
let api: ReturnType<typeof apiClient>;
let order: Uint32Array;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
    order = mapOrder(await (await openDataset(new FileObjectStore(objectRoot), id)).embedding('X_umap'));
  });
  api = apiClient(server, await server.signIn('standard'), 'selected');
});
beforeEach(() => api.get(`/api/dataset_analysis/${id}`));

function selected(passes: (row: number) => boolean) {
  const bits = new Uint8Array(Math.ceil(cellCount / 8));
  order.forEach((row, place) => {
    if (passes(row)) bits[place >> 3]! |= 1 << (place & 7);
  });
  return { version: dataset.manifest.version, places: encodeCells(bits, cellCount) };
}
const keeping = (passes: (row: number) => boolean) => ({
  subset_group_name: 'Island',
  cells_filter: true,
  cells: selected(passes),
});
const filter = (body: object) => api.post('/api/filter-active-dataset', body);
const barcodes = async () => {
  const { body } = await api.post('/api/export-cells', { metadata: false, coordinates: false });
  const lines = new TextDecoder().decode(body).trimEnd().split('\n');
  return { lines, cells: lines.filter((line) => line.startsWith('cell-')) };
};
const named = (passes: (row: number) => boolean) =>
  Array.from({ length: cellCount }, (_, row) => row)
    .filter(passes)
    .map((row) => `cell-${row}`);

describe('cells that were selected on the map', () => {
  const some = (row: number) => row % 7 === 3 || row > 200;

  test('are the rows of the file at their places, in answers, exports and figures', async () => {
    const answer = filterAnswer.parse((await filter(keeping(some))).body);
    expect(answer.cell_count).toBe(named(some).length);
    expect(answer.cell_type_counts['T cell']).toBe(
      Array.from({ length: 80 }, (_, i) => i + 160).filter(some).length,
    );
    const { lines, cells } = await barcodes();
    expect(cells).toEqual(named(some));
    expect(lines[1]).toBe(
      `# Cells: ${named(some).length} of 240, the subset "Island": cells selected on the map`,
    );
    const { body } = await api.post('/api/plot-umap-with-genes', { genes: ['GENE1'] });
    const [{ figure, source }] = body.plots;
    expect(figure.counts).toMatchObject({ cells: named(some).length, datasetCells: 240 });
    expect(source.subset).toMatchObject(keeping(some));
    await filter({ subset_group_name: 'Default' });
    const again = await api.post('/api/render-figure', { source, format: 'json' });
    expect(again.body.counts).toMatchObject({ cells: named(some).length });
  });

  test('are joined to the other parts of a filter by AND, and counted by themselves', async () => {
    const request = { ...keeping(some), cell_type_filter: true, cell_type: ['B cell', hostile] };
    const preview = filterPreview.parse((await api.post('/api/preview-filter', request)).body);
    expect(preview.filter_counts).toEqual({ cells: named(some).length, cell_type: 160 });
    expect(preview.cell_count).toBe(named((row) => some(row) && row < 160).length);
    expect((await barcodes()).cells).toHaveLength(cellCount);
    await filter(request);
    expect((await barcodes()).cells).toEqual(named((row) => some(row) && row < 160));
  });

  test('count only where their flag is set', async () => {
    const { body } = await filter({ ...keeping(some), cells_filter: false });
    expect(body.cell_count).toBe(cellCount);
  });

  test('that differ are never taken for each other', async () => {
    expect((await filter(keeping((row) => row < 9))).body.cell_count).toBe(9);
    expect((await filter(keeping((row) => row < 10))).body.cell_count).toBe(10);
  });

  test('of another version are refused with 409, and the active cells stay', async () => {
    await filter(keeping(some));
    const cells = { ...selected((row) => row < 5), version: 'earlier' };
    const request = { ...keeping(some), cells };
    for (const path of ['/api/filter-active-dataset', '/api/preview-filter']) {
      const { status, body } = await api.post(path, request);
      expect([status, body.code]).toEqual([409, 'selection_of_other_version']);
      expect(body.message).toBe(
        'The cells were selected on another version of the dataset. Select them again.',
      );
    }
    expect((await barcodes()).cells).toEqual(named(some));
  });

  test.each([
    ['no base64url', '<script>', 'invalid_request'],
    ['a longer text than any selection', 'A'.repeat(400_001), 'invalid_request'],
    ['cells that the dataset does not have', 'selection of 10,000 cells', 'invalid_selection'],
    ['random bytes', 'q83vEjRWeJCrze8', 'invalid_selection'],
    ['a text that is cut off', 'cut', 'invalid_selection'],
    ['no text', '', 'incomplete_filter'],
  ])('of a text that is %s are refused with 400, naming the field', async (_, text, code) => {
    const whole = selected((row) => row % 3 === 0).places;
    const places =
      text === 'cut'
        ? whole.slice(0, -4)
        : text.startsWith('selection')
          ? encodeCells(new Uint8Array(1250).fill(0x5a), 10_000)
          : text;
    const cells = { version: dataset.manifest.version, places };
    const { status, body } = await filter({ ...keeping(some), cells });
    expect([status, body.code]).toEqual([400, code]);
    expect(body.details[0].field).toBe('cells.places');
    expect(JSON.stringify(body).length).toBeLessThan(1000);
  });

  test('without a caller are refused', async () => {
    const answer = await fetch(`${server.siteUrl}/api/filter-active-dataset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': server.config.publishableKey },
      body: JSON.stringify(keeping(some)),
    });
    expect(answer.status).toBe(401);
  });

  test('that are none keep no cell, which is refused as of every filter', async () => {
    const { status, body } = await filter(keeping(() => false));
    expect([status, body.code]).toEqual([422, 'empty_subset']);
  });
});

describe('a selection compared with the rest', () => {
  const half = (row: number) => row < 80;
  const analyse = async (body: object) => api.post('/api/perform-marker-analysis', body);
  const compare = (passes: (row: number) => boolean, more: object = {}) =>
    analyse({ groupby: 'Map selection', selection: selected(passes), ...more });

  test('has the numbers of a column of the same two groups', async () => {
    // The selection is the cell type of the first 80 cells.
    const ofSelection = markersAnswer.parse((await compare(half)).body);
    const ofColumn = markersAnswer.parse((await analyse({ groupby: 'cell_type' })).body);
    const rows = (csv: string, group: string) =>
      csv
        .split('\n')
        .filter((line) => line.startsWith(`${group},`))
        .map((line) => line.slice(group.length));
    expect(rows(ofSelection.marker_csv, 'Selection').length).toBeGreaterThan(5);
    expect(rows(ofSelection.marker_csv, 'Selection')).toEqual(rows(ofColumn.marker_csv, 'B cell'));
    expect(ofSelection.groups.map(({ name, cells, reference_cells: rest }) => [name, cells, rest])).toEqual([
      ['Selection', 80, 160],
      ['Rest', 160, 80],
    ]);
    expect(ofSelection.group_title).toBe('Map selection');
    expect(ofSelection.unlabelled_count).toBe(0);
  });

  test('comes with the caution that the reasoning is circular, also in the file', async () => {
    // A column of this name is a clustering, and has a caution of its own.
    const { body } = await compare(half, { groupby: 'leiden' });
    const codes = body.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain('selection-tested-on-own-data');
    expect(codes).not.toContain('clusters-tested-on-own-data');
    expect(body.group_title).toBe('leiden');
    const message = 'The 80 cells were selected on a map made from the expression that is tested';
    expect(body.marker_csv).toContain(message);
    expect(body.marker_csv.slice(0, body.marker_csv.indexOf(message))).not.toContain('\nSelection,');
  });

  test('is among the active cells alone', async () => {
    await filter({ subset_group_name: 'two', cell_type_filter: true, cell_type: ['B cell', 'T cell'] });
    const { body } = await compare((row) => row >= 60 && row < 170);
    expect(body.groups.map(({ cells }: { cells: number }) => cells)).toEqual([30, 130]);
  });

  test('is drawn again from the source of its figure', async () => {
    const { body } = await compare(half);
    const { body: spec } = await api.post('/api/render-figure', { source: body.source, format: 'json' });
    expect(spec.title).toBe('Markers by Map selection');
    const other = { ...body.source.content, selection: selected((row) => row >= 160) };
    const response = await api.post('/api/render-figure', {
      source: { ...body.source, content: other },
      format: 'json',
    });
    expect(response.body).not.toEqual(spec);
  });

  test.each([
    ['all of the active cells', () => true, 422, 'not_enough_groups'],
    ['one cell', (row: number) => row === 9, 422, 'not_enough_groups'],
  ])('of %s is refused in words about the selection', async (_, passes, status, code) => {
    const answer = await compare(passes);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toBe(
      'The selection cannot be compared with the rest: at least 2 active cells must be selected, and at least as many not selected.',
    );
  });

  test('of another version or of a corrupt text is refused, naming its field', async () => {
    const old = await analyse({ groupby: 'x', selection: { ...selected(half), version: 'earlier' } });
    expect([old.status, old.body.details[0].field]).toEqual([409, 'selection.version']);
    const { version } = selected(half);
    const corrupt = await analyse({ groupby: 'x', selection: { version, places: 'q83vEjRWeJCrze8' } });
    expect([corrupt.status, corrupt.body.details[0].field]).toEqual([400, 'selection.places']);
  });
});

describe('a filter that was saved with the number of its cells', () => {
  const cluster = {
    subset_group_name: 'Cluster 1',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: ['1'] },
  };
  const cautions = async (keptCells: object | undefined) => {
    const answer = filterAnswer.parse(
      (await filter({ ...cluster, ...(keptCells && { kept: keptCells }) })).body,
    );
    return answer.warnings.filter(({ code }) => code === 'filter-of-other-version');
  };

  test('is reported with both numbers where the dataset was replaced since, also where the number is the same', async () => {
    expect(await cautions({ cells: 187, version: 'of before' })).toEqual([
      {
        code: 'filter-of-other-version',
        message:
          '“Cluster 1” had 187 cells when it was saved; 60 now, as the dataset was replaced since. Check its values on the map, then save it again.',
        numbers: { before: 187, now: 60, version: 'of before' },
      },
    ]);
    const [same] = await cautions({ cells: 60, version: 'of before' });
    expect(same!.message).toContain('60 now, as the dataset was replaced since, and they may have changed.');
  });

  test('is silent where it keeps the same cells, and reports a changed annotation by the number of cells', async () => {
    const { kept: keptCells } = filterAnswer.parse((await filter(cluster)).body);
    expect(keptCells).toEqual({ cells: 60, version: dataset.manifest.version, annotations: [] });
    expect(await cautions(keptCells)).toEqual([]);
    expect(await cautions(undefined)).toEqual([]);
    const [changed] = await cautions({ ...keptCells, cells: 70 });
    expect(changed!.message).toContain('70 cells when it was saved; 60 now, as an annotation was changed');
  });

  const ofBefore = { kept: { cells: 187, version: 'of before', annotations: [] } };

  test('is reported first by each result of its cells, and in its file, and in no source of a figure', async () => {
    await filter({ ...cluster, ...ofBefore });
    const markers = markersAnswer.parse(
      (await api.post('/api/perform-marker-analysis', { groupby: 'cell_type' })).body,
    );
    const [first] = markers.warnings;
    expect(first).toMatchObject({ code: 'filter-of-other-version', numbers: { before: 187, now: 60 } });
    expect(markers.marker_csv).toContain(`\n# ${first!.message}\n`);
    expect(markers.marker_csv).toContain('"kept":{"cells":187,"version":"of before"');
    expect(markers.source?.subset).not.toHaveProperty('kept');
    expect(markers.figure?.cautions).not.toContainEqual(first);
    // The same cells, whose result is in memory, without that number.
    await filter(cluster);
    const { body } = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type' });
    expect(markersAnswer.parse(body).warnings).toEqual(markers.warnings.slice(1));
  });

  test('is reported by a comparison of which it is a side, and where the call names the cells', async () => {
    await filter({ subset_group_name: 'Default' });
    const b = { ...cluster, subset_group_name: 'Cluster 2', patient_metadata: { Cluster: ['2'] } };
    const { body } = await api.post('/api/perform-deg-analysis', {
      a: { name: 'A', filter: { ...cluster, ...ofBefore } },
      b: { name: 'B', filter: b },
      cells: {
        subset: {
          ...cluster,
          subset_group_name: 'Both',
          patient_metadata: { Cluster: ['1', '2'] },
          ...ofBefore,
        },
      },
    });
    const cautions = comparisonAnswer.parse(body).warnings.slice(0, 2);
    expect(cautions.map(({ numbers }) => numbers?.['now'])).toEqual([120, 60]);
    expect(cautions.map(({ message }) => message.split(' had ')[0])).toEqual(['“Both”', '“Cluster 1”']);
  });

  test('is reported by results where an annotation was changed, and a deleted annotation does not block other cells', async () => {
    const { body: labels } = await api.post(`/api/datasets/${id}/annotations`, {
      name: 'Mine',
      from: 'leiden',
    });
    const mine = { ...cluster, patient_metadata: { Mine: ['1'] } };
    const { kept: keptCells } = filterAnswer.parse((await filter(mine)).body);
    await filter({ ...mine, kept: keptCells });
    const change = { change: 'merge', groups: ['1', '2'], name: '1' };
    await api.post(`/api/annotations/${labels.id}/changes`, { revision: labels.revision, change });
    const { body } = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type' });
    expect(markersAnswer.parse(body).warnings[0]).toMatchObject({
      code: 'filter-of-other-version',
      numbers: { before: 60, now: 120 },
    });
    await api.send('DELETE', `/api/annotations/${labels.id}`);
    expect((await filter({ subset_group_name: 'Default' })).status).toBe(200);
  });
});
