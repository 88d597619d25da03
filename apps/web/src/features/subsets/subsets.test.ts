import { describe, expect, test } from 'vitest';
import { filterText, readFilterText } from '@/features/explore/address-texts.ts';
import type { FilterConfig } from './filter-config.ts';
import { emptyConfig, readDraft, readFilterConfig } from './filter-config.ts';
import { filterPayload, normalFilter, sameCells } from './filter-payload.ts';
import { draftOfCells, draftOfFilter, readSubset, selectionText, subsetColumns } from './saved-subsets.ts';
import { freeName, subsetProblem } from './filter-payload.ts';
import { previewRequest } from './use-filter-preview.ts';

function config(
  activeFilterTypes: FilterConfig['activeFilterTypes'],
  parts: Partial<FilterConfig> = {},
): FilterConfig {
  return { ...emptyConfig(), activeFilterTypes, ...parts };
}
const range = { minPercentile: 1, maxPercentile: 50 };
const gene: FilterConfig['geneFilter'] = {
  genes: ['CD3D'],
  filterType: 'positive',
  among: 'all',
  ...range,
};

describe('why a subset cannot be saved', () => {
  test.each([
    ['Please select at least one filter type.', config([])],
    ['Please select at least one gene for gene filter.', config(['gene'])],
    ['Please select genes for the signature.', config(['signature'])],
    ['Please select at least one cell type.', config(['celltype'])],
    ['Please select at least one metadata field.', config(['metadata'])],
    [
      'Please select at least one metadata field.',
      config(['metadata'], { metadataFilter: { selectedFields: ['stage'], patientMetadata: { stage: [] } } }),
    ],
    [
      'Please select at least one cell type.',
      config(['gene', 'celltype'], { geneFilter: { ...gene, genes: ['CD3D'] } }),
    ],
    [
      'The minimum signature percentile must be within 1 to 50.',
      config(['signature'], {
        signatureFilter: { genes: ['A'], signatureName: '', minPercentile: 50.1, maxPercentile: 60 },
      }),
    ],
    [
      'The maximum gene percentile must be within 50 to 99.',
      config(['gene'], {
        geneFilter: { ...gene, genes: ['A'], filterType: '', minPercentile: 1, maxPercentile: Number.NaN },
      }),
    ],
  ])('%s', (problem, form) => {
    expect(subsetProblem('T cells', form, new Set())).toBe(problem);
  });

  test('a name is needed, and may not be one that stands for all cells', () => {
    const form = config(['gene'], { geneFilter: { ...gene, genes: ['CD3D'] } });
    expect(subsetProblem(' \t', form, new Set())).toBe('Please provide a subset name.');
    expect(subsetProblem(' default ', form, new Set())).toBe(
      'The name default stands for all cells. Please choose another.',
    );
    expect(subsetProblem('T cells', form, new Set())).toBeUndefined();
  });

  test('no two subsets of a dataset have one name; a copy is numbered', () => {
    const usedNames = new Set(['T cells', 'T cells copy', 'T cells copy (2)']);
    const form = {
      ...emptyConfig(),
      activeFilterTypes: ['celltype' as const],
      cellTypeFilter: { cellTypes: ['t'] },
    };
    expect(subsetProblem(' T cells ', form, usedNames)).toMatch(
      /^Another subset of this dataset is named T cells\./,
    );
    expect(subsetProblem('t cells', form, usedNames)).toBeUndefined();
    expect(freeName('T cells copy', usedNames)).toBe('T cells copy (3)');
    expect(freeName('x'.repeat(200), new Set(['x'.repeat(200)]))).toBe(`${'x'.repeat(196)} (2)`);
  });

  test('percentiles count only where they are used', () => {
    const wrong = { minPercentile: 0, maxPercentile: 100 };
    const form = config(['gene'], { geneFilter: { ...gene, filterType: 'negative', ...wrong } });
    expect(subsetProblem('T cells', form, new Set())).toBeUndefined();
  });
});

describe('the filter request of a form', () => {
  test('holds the parts that are ticked and no other', () => {
    const form = config(['signature', 'metadata'], {
      geneFilter: { ...gene, genes: ['CD3D'] },
      signatureFilter: { genes: ['NKG7', 'GNLY'], signatureName: ' ', ...range },
      metadataFilter: {
        selectedFields: ['stage', 'site'],
        patientMetadata: { stage: ['II', 'I'], site: [], age: ['old'] },
      },
    });
    expect(filterPayload(' Cytotoxic ', form)).toEqual({
      subset_group_name: 'Cytotoxic',
      gene_filter: false,
      signature_filter: true,
      cell_type_filter: false,
      patient_metadata_filter: true,
      cells_filter: false,
      signature: {
        genes: ['NKG7', 'GNLY'],
        score_name: 'Unnamed Signature',
        min_percentile: 1,
        max_percentile: 50,
      },
      patient_metadata: { stage: ['II', 'I'] },
    });
  });

  test('two filters that keep the same cells come out equal, as the server names them', () => {
    const request = {
      subset_group_name: 'T',
      gene_filter: true,
      gene: { name: ['CD3D'], presence: true, min_percentile: 1, max_percentile: 50 },
      cell_type_filter: true,
      cell_type: ['b', 'a', 'b'],
      patient_metadata: { stage: ['II'] },
    };
    expect(normalFilter(request)).toEqual({
      subset_group_name: 'T',
      gene_filter: true,
      signature_filter: false,
      cell_type_filter: true,
      patient_metadata_filter: false,
      cells_filter: false,
      gene: { name: 'CD3D', presence: 'positive' },
      cell_type: ['a', 'b'],
    });
  });
});

describe('percentiles among expressing cells', () => {
  const form = config(['gene'], {
    geneFilter: {
      ...gene,
      filterType: 'percentile',
      among: 'expressing',
      minPercentile: 50,
      maxPercentile: 99,
    },
  });
  const geneFilter = {
    name: 'CD3D',
    presence: 'percentile',
    min_percentile: 50,
    max_percentile: 99,
  } as const;

  test('stand in the request, and nothing stands for percentiles among all cells', () => {
    expect(filterPayload('T', form).gene).toEqual({ ...geneFilter, among: 'expressing' });
    const all = config(['gene'], { geneFilter: { ...form.geneFilter, among: 'all' } });
    expect(filterPayload('T', all).gene).toEqual(geneFilter);
    expect(normalFilter({ ...filterPayload('T', all), gene: { ...geneFilter, among: 'all' } })).toEqual(
      normalFilter(filterPayload('T', all)),
    );
    expect(normalFilter(filterPayload('T', form))).not.toEqual(normalFilter(filterPayload('T', all)));
  });

  test('are stored with the subset and its request, and stay in a link', () => {
    const columns = subsetColumns({ name: 'T', percentile: 10, config: form });
    const stored = JSON.parse(JSON.stringify(columns)) as typeof columns;
    expect(stored.filter_config).toMatchObject({
      geneFilter: { among: 'expressing' },
      api_payload: { gene: { among: 'expressing' } },
    });
    expect(readSubset({ id: 'x', ...stored })?.draft.config).toEqual(form);
    const linked = readFilterText(filterText(filterPayload('T', form)) ?? '');
    expect(linked && draftOfFilter(linked).config).toEqual(form);
  });

  test('are stored with the cells and versions that they were saved with, and no preview has these', () => {
    const savedCells = { cells: 187, version: '1', annotations: [] };
    const saved = { ...form, kept: savedCells };
    const columns = subsetColumns({ name: 'T', percentile: 10, config: saved });
    const stored = JSON.parse(JSON.stringify(columns)) as typeof columns;
    expect(stored.filter_config).toMatchObject({ api_payload: { kept: savedCells } });
    expect(readSubset({ id: 'x', ...stored })).toMatchObject({
      draft: { config: saved },
      filter: { kept: savedCells },
    });
    expect(previewRequest(saved)).not.toHaveProperty('kept');
    expect(sameCells(filterPayload('T', saved), filterPayload('T', form))).toBe(true);
  });

  test('are off in a subset from before the choice', () => {
    expect(readFilterConfig({ geneFilter: { genes: ['A'], among: 'nonsense' } })?.geneFilter.among).toBe(
      'all',
    );
    expect(readFilterConfig({ geneFilter: { genes: ['A'] } })?.geneFilter.among).toBe('all');
  });
});

describe('cells that were selected on the map', () => {
  const selection = { version: 'v1', places: 'AAECAw', count: 1234 };
  const draft = draftOfCells('Island', selection);

  test('are a part of the request that joins the others', () => {
    const both = config(['celltype', 'cells'], {
      cellTypeFilter: { cellTypes: ['T cell'] },
      cellsFilter: selection,
    });
    expect(filterPayload('Island', both)).toMatchObject({
      cell_type_filter: true,
      cell_type: ['T cell'],
      cells_filter: true,
      cells: { version: 'v1', places: 'AAECAw' },
    });
    expect(filterPayload('x', config(['celltype'], { cellsFilter: selection }))).not.toHaveProperty('cells');
    expect(subsetProblem('Island', draft.config, new Set())).toBeUndefined();
    expect(subsetProblem('Island', config(['cells']), new Set())).toBe('Please select cells on the map.');
  });

  test('are stored once, and read back with their number', () => {
    const columns = subsetColumns(draft);
    expect(JSON.stringify(columns).split('AAECAw')).toHaveLength(2);
    const stored = JSON.parse(JSON.stringify(columns)) as object;
    const read = readSubset({ id: 'x', ...stored });
    expect(read?.draft).toEqual(draft);
    expect(read?.filter).toEqual(filterPayload('Island', draft.config));
    expect(selectionText(read!.draft.config)).toBe('1,234 cells selected on the map');
    expect(selectionText(read!.draft.config, 'v1')).toBe('1,234 cells selected on the map');
    expect(selectionText(read!.draft.config, 'v2')).toBe(
      '1,234 cells selected on the map, from another version',
    );
  });

  test('that are switched off for now are stored, too', () => {
    const off = { ...draft, config: { ...draft.config, activeFilterTypes: ['celltype' as const] } };
    const read = readSubset({ id: 'x', ...(JSON.parse(JSON.stringify(subsetColumns(off))) as object) });
    expect(read?.draft.config.cellsFilter).toEqual(selection);
    expect(selectionText(off.config)).toBeUndefined();
  });

  test('distinguish one filter from another, by version and by cells', () => {
    const filter = filterPayload('a', draft.config);
    expect(sameCells(filter, { ...filter, subset_group_name: 'b' })).toBe(true);
    expect(sameCells(filter, { ...filter, cells: { version: 'v2', places: 'AAECAw' } })).toBe(false);
    expect(sameCells(filter, { ...filter, cells: { version: 'v1', places: 'AAECBA' } })).toBe(false);
  });

  test('stand in an address where they are few, and their number is not known then', () => {
    const linked = readFilterText(filterText(filterPayload('Island', draft.config)) ?? '');
    expect(draftOfFilter(linked!).config.cellsFilter).toEqual({ ...selection, count: null });
    expect(selectionText(draftOfFilter(linked!).config)).toBe('Cells selected on the map');
    const million = { version: 'v1', places: 'A'.repeat(170_000), count: 500_000 };
    expect(filterText(filterPayload('Half', draftOfCells('Half', million).config))).toBeUndefined();
  });
});

describe('the request of a preview', () => {
  test('holds the filters that are filled in, whatever the name', () => {
    const form = config(['gene', 'celltype'], { geneFilter: gene });
    expect(previewRequest(form)).toMatchObject({ gene_filter: true, cell_type_filter: false });
    expect(previewRequest(config(['celltype']))).toBeUndefined();
    expect(previewRequest(config([]))).toBeUndefined();
  });
});

describe('a stored subset', () => {
  const row = { id: 'x', subset_name: 'T cells', gene_symbol: '', percentile: 10, selected_cell_types: null };

  test('is written and read back the same, with the request that it stands for', () => {
    const draft = {
      name: 'T cells',
      percentile: 10,
      config: config(['gene', 'celltype'], {
        geneFilter: { ...gene, genes: ['CD3D'] },
        cellTypeFilter: { cellTypes: ['T cell', '__proto__'] },
      }),
    };
    const columns = subsetColumns(draft);
    expect(columns).toMatchObject({
      subset_name: 'T cells',
      subset_type: 'gene',
      gene_symbol: 'CD3D',
      selected_cell_types: ['T cell', '__proto__'],
      filter_config: { api_payload: { subset_group_name: 'T cells', cell_type: ['T cell', '__proto__'] } },
    });
    const read = readSubset({ ...row, ...(JSON.parse(JSON.stringify(columns)) as object) });
    expect(read?.draft).toEqual(draft);
    expect(read?.filter).toEqual(filterPayload('T cells', draft.config));
  });

  test('is the same when it is made from the filter that an address holds', () => {
    const draft = {
      name: 'Cytotoxic',
      percentile: 10,
      config: config(['gene', 'signature', 'metadata'], {
        geneFilter: { ...gene, genes: ['CD3D'] },
        signatureFilter: { genes: ['NKG7'], signatureName: 'Killing', minPercentile: 20, maxPercentile: 99 },
        metadataFilter: { selectedFields: ['stage'], patientMetadata: { stage: ['II'] } },
      }),
    };
    const filter = filterPayload(draft.name, draft.config);
    expect(draftOfFilter(filter)).toEqual(draft);
    expect(normalFilter(filterPayload(draft.name, draftOfFilter(normalFilter(filter)).config))).toEqual(
      normalFilter(filter),
    );
  });

  test('without a configuration is mapped to a gene filter, a cell-type filter and a percentile', () => {
    const read = readSubset({
      ...row,
      gene_symbol: 'cd3d, CD8A',
      percentile: 20,
      selected_cell_types: ['T cell'],
      filter_config: null,
    });
    expect(read?.draft).toMatchObject({
      percentile: 20,
      config: {
        activeFilterTypes: ['gene', 'celltype'],
        geneFilter: { genes: ['CD3D'], filterType: 'percentile', minPercentile: 20, maxPercentile: 99 },
        cellTypeFilter: { cellTypes: ['T cell'] },
      },
    });
    expect(readSubset({ ...row, filter_config: null, percentile: null })?.draft.percentile).toBe(10);
  });

  test.each([
    [false, ''],
    ['false', ''],
    [true, 'positive'],
    ['true', 'positive'],
    ['negative', 'negative'],
    [undefined, ''],
    ['nonsense', ''],
  ])('a gene filter type of %j is read as %j', (stored, read) => {
    expect(readFilterConfig({ geneFilter: { filterType: stored } })?.geneFilter.filterType).toBe(read);
  });

  test('what is missing or of the wrong kind is as in an empty form', () => {
    const odd = readFilterConfig({
      activeFilterTypes: ['gene', 7, 'unheard of'],
      geneFilter: { genes: 'CD3D', minPercentile: '5' },
      metadataFilter: JSON.parse('{"patientMetadata": {"__proto__": ["x"], "stage": "I"}}'),
      cellTypeFilter: null,
    });
    expect(odd).toMatchObject({
      activeFilterTypes: ['gene'],
      geneFilter: { genes: [], minPercentile: 1, maxPercentile: 50 },
      cellTypeFilter: { cellTypes: [] },
    });
    expect(Object.entries(odd?.metadataFilter.patientMetadata ?? {})).toEqual([
      ['__proto__', ['x']],
      ['stage', []],
    ]);
    expect(readFilterConfig('text')).toBeUndefined();
    expect(readSubset({ subset_name: 'no id' })).toBeUndefined();
    expect(readDraft({ name: 'x', config: 1 })).toBeUndefined();
  });
});
