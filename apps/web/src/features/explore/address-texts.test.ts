import type { FigureContent } from '@cellfolio/contract';
import { readContentAddress as readView } from '@cellfolio/figures/content';
import { describe, expect, test } from 'vitest';
import { filterText, readFilterText, viewOf } from './address-texts.ts';

const contents: FigureContent[] = [
  { kind: 'category-umap' },
  { kind: 'gene-umap', gene: 'HLA-A' },
  { kind: 'gene-violin', gene: 'CD3D' },
  { kind: 'score-umap', of: 'signature', score_name: 'T, cytotoxic: 100%', genes: ['NKG7', 'GNLY'] },
  { kind: 'score-violin', of: 'signature', score_name: '', genes: ['NKG7'] },
  { kind: 'score-umap', of: 'cell-state', cell_state: 'TNFA SIGNALING VIA NFKB', minimum_genes: 3 },
  { kind: 'score-violin', of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 2 },
  { kind: 'highlight-umap', of: 'cell-type', cell_type: 'B/plasma, <b>&=' },
  { kind: 'highlight-umap', of: 'cell-type', cell_type: '' },
  { kind: 'highlight-umap', of: 'cluster', leiden_clusters: ['0', 'a,b', ''] },
];

describe('the view in the address', () => {
  test.each(contents)('holds $kind, whatever its names are, through an address and back', (content) => {
    const params = new URLSearchParams();
    params.append('view', viewOf(content) ?? '');
    expect(readView(new URLSearchParams(params.toString()).get('view') ?? '')).toEqual(content);
  });

  test.each(['', 'gene-umap', 'gene-umap:', 'nonsense:x', 'gene-umap:%E0%A4%A', 'score-umap:signature,name'])(
    'takes %j for no view',
    (text) => expect(readView(text)).toBeUndefined(),
  );

  test('takes a cell state without its fewest genes for one that was drawn with any number', () =>
    expect(readView('score-umap:cell-state,HYPOXIA')).toEqual({
      kind: 'score-umap',
      of: 'cell-state',
      cell_state: 'HYPOXIA',
      minimum_genes: 1,
    }));

  test('leaves out what would make the address too long', () => {
    const genes = Array.from({ length: 300 }, (_, n) => `GENE${n}`);
    expect(viewOf({ kind: 'score-umap', of: 'signature', score_name: 'long', genes })).toBeUndefined();
    expect(
      filterText({ subset_group_name: 'long', signature_filter: true, signature: { genes } }),
    ).toBeUndefined();
  });

  test('holds a filter with any name, and takes what is no filter for none', () => {
    const filter = { subset_group_name: 'T-Zellen, „α“', cell_type_filter: true, cell_type: ['日本 cell'] };
    expect(readFilterText(filterText(filter) ?? '')).toMatchObject(filter);
    for (const text of ['', '***', btoa('{}'), btoa('{"subset_group_name": 3}')]) {
      expect(readFilterText(text), text).toBeUndefined();
    }
  });
});
