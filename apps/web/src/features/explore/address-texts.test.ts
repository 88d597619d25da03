import { explorerLinkRequest, type FigureContent } from '@cellfolio/contract';
import { contentAddress, readContentAddress as readView } from '@cellfolio/figures/content';
import { describe, expect, test } from 'vitest';
import { addressOf, filterText, readFilterText } from './address-texts.ts';

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
    params.append('view', contentAddress(content) ?? '');
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
    expect(
      filterText({ subset_group_name: 'long', signature_filter: true, signature: { genes } }),
    ).toBeUndefined();
  });

  test.each([
    { cards: 'of a gene', genes: 1, fitting: 12 },
    { cards: 'of 60 genes', genes: 60, fitting: 12 },
    { cards: 'of 100 genes', genes: 100, fitting: 8 },
    { cards: 'of 300 genes', genes: 300, fitting: 2 },
  ])('of 12 cards $cards has the first $fitting', ({ genes, fitting }) => {
    const names = Array.from({ length: genes }, (_, n) => `GENE${n}`);
    const views = Array.from({ length: 12 }, (_, n) =>
      contentAddress({ kind: 'score-umap', of: 'signature', score_name: `Signature ${n}`, genes: names })!,
    );
    const view = { subsetId: null, filter: null, views, map: null, scale: null, needsLink: false };
    const { params, cards } = addressOf(new URLSearchParams({ dataset: 'demo.h5ad' }), view);
    expect(cards).toBe(fitting);
    expect(params.getAll('view')).toEqual(views.slice(0, fitting));
    expect(explorerLinkRequest.safeParse({ address: `/explorer?${params}` }).success).toBe(true);
  });

  test('fits into a link in whatever script its filter and its names are', () => {
    const filter = filterText({ subset_group_name: '細'.repeat(190) })!;
    const map = '細'.repeat(330);
    const views = Array<string>(12).fill(`gene-umap:${'細'.repeat(400)}`);
    const params = new URLSearchParams({ disease: '癌'.repeat(20), dataset: 'demo.h5ad' });
    const scale = JSON.stringify(Array.from({ length: 12 }, () => ['log-normalized', 0.123456, 6.123456]));
    const written = addressOf(params, { subsetId: null, filter, views, map, scale, needsLink: false });
    expect(`/explorer?${written.params}`.length).toBeLessThanOrEqual(8000);
  });

  test('holds a filter with any name, and takes what is no filter for none', () => {
    const filter = { subset_group_name: 'T-Zellen, „α“', cell_type_filter: true, cell_type: ['日本 cell'] };
    expect(readFilterText(filterText(filter) ?? '')).toMatchObject(filter);
    for (const text of ['', '***', btoa('{}'), btoa('{"subset_group_name": 3}')]) {
      expect(readFilterText(text), text).toBeUndefined();
    }
  });
});
