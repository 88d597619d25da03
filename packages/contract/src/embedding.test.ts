import { expect, test } from 'vitest';
import { embedHtml, embedPath, type EmbeddedView, readEmbeddedView } from './embedding.ts';

const site = 'https://cells.example';
const read = (path: string) => readEmbeddedView(new URL(path, site));

test.each<EmbeddedView>([
  { dataset: 'a.h5ad', content: { kind: 'category-umap' } },
  { dataset: 'a.h5ad', content: { kind: 'gene-umap', gene: 'HLA-DRA & "B"' }, theme: 'dark' },
  {
    dataset: 'a b/ü',
    content: { kind: 'obs-umap', column: 'größe=1&x' },
    theme: 'light',
    map: '{"density":true}',
  },
])('the address of an embedded view is read as that view: %j', (view) => {
  expect(read(embedPath(view))).toEqual(view);
});

test('what an address gets wrong is left out', () => {
  const plain = { dataset: 'a', content: { kind: 'category-umap' } };
  expect(read(`/embed/a?gene=&theme=pink&map=${'x'.repeat(9000)}`)).toEqual(plain);
  expect(read(`/embed/a?gene=${'x'.repeat(501)}`)).toEqual(plain);
  for (const path of ['/embed', '/embed/', '/embed/a/b', '/embed/%zz', `/embed/${'x'.repeat(201)}`, '/l/a'])
    expect(read(path), path).toBeUndefined();
});

test('an address of the explorer leads to its first card with colors that visitors may read, and the state of that card', () => {
  const map = {
    camera: [0.1, 0.2, 3],
    cards: [{ split: 'x' }, { column: 'leiden' }],
    selection: { subset: 's' },
  };
  const query = new URLSearchParams({ dataset: 'a', subset: 's', filter: 'f', map: JSON.stringify(map) });
  query.append('view', 'score-umap:signature,mine,CD3D');
  query.append('view', 'obs-umap:age');
  query.append('view', 'gene-umap:CD3D');
  expect(read(`/explorer?${query}`)).toEqual({
    dataset: 'a',
    content: { kind: 'obs-umap', column: 'age' },
    map: JSON.stringify({ camera: [0.1, 0.2, 3], cards: [{ column: 'leiden' }] }),
  });
  expect(read('/explorer?dataset=a&map=%7B')).toEqual({ dataset: 'a', content: { kind: 'category-umap' } });
  expect(read('/explorer?view=gene-umap:CD3D')).toBeUndefined();
});

test('no name ends an attribute of the frame', () => {
  const view: EmbeddedView = {
    dataset: '"><script>',
    content: { kind: 'gene-umap', gene: '"><img onerror=x>' },
  };
  const html = embedHtml(view, { site, title: `"><script>alert('1')</script>&amp;`, width: 1, height: 2 });
  expect(html.match(/[<>]/g)).toHaveLength(4);
  expect(html.match(/"/g)).toHaveLength(12);
  expect(html).toContain('title="&quot;&gt;&lt;script&gt;alert(\'1\')&lt;/script&gt;&amp;amp;"');
});
