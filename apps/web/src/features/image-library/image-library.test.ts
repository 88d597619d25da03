import { describe, expect, test } from 'vitest';
import {
  droppedBy,
  imageLibraryReducer as reduce,
  maxGenerated,
  openLibrary,
  pageCount,
} from './image-library.ts';
import type { LibraryImage } from './library-image.ts';

function image(id: string, type: LibraryImage['type'] = 'gene'): LibraryImage {
  return {
    id,
    title: id,
    subtitle: '',
    imageUrl: '',
    type,
    plotKind: 'umap',
    datasetName: 'd',
    diseaseName: '',
    subsetGroupName: 'Global',
    createdAt: 0,
  };
}
const open = openLibrary(image('default', 'default'));
const generate = (library: typeof open, ...ids: string[]) =>
  reduce(library, { type: 'generated', images: ids.map((id) => image(id)) });
const ids = (library: typeof open) => library.images.map(({ id }) => id);

describe('imageLibraryReducer', () => {
  test('M40 the default image stays first and the others follow, newest first', () => {
    expect(ids(generate(generate(open, 'a'), 'b', 'c'))).toEqual(['default', 'b', 'c', 'a']);
  });

  test('M41 the newest up to four go to the viewer, the default image being the oldest', () => {
    expect(generate(open, 'a').viewer).toEqual(['a', 'default']);
    expect(generate(generate(open, 'a', 'b'), 'c', 'd', 'e').viewer).toEqual(['c', 'd', 'e', 'a']);
  });

  test('M40 a fifth image is not selected, and one removed from the viewer stays in the library', () => {
    const full = generate(open, 'a', 'b', 'c', 'd');
    expect(reduce(full, { type: 'select', id: 'default' })).toBe(full);
    const removed = reduce(full, { type: 'remove', id: 'b' });
    expect(removed.viewer).toEqual(['a', 'c', 'd']);
    expect(ids(removed)).toContain('b');
    expect(reduce(removed, { type: 'select', id: 'default' }).viewer).toEqual(['a', 'c', 'd', 'default']);
  });

  test('M40 deleting takes an image out of library and viewer, but never the default one', () => {
    const library = generate(open, 'a');
    const deleted = reduce(library, { type: 'delete', id: 'a' });
    expect(ids(deleted)).toEqual(['default']);
    expect(deleted.viewer).toEqual(['default']);
    expect(reduce(library, { type: 'delete', id: 'default' })).toBe(library);
  });

  test('M40 keeps the thirty newest beside the default image', () => {
    let library = open;
    for (let n = 0; n < 35; n++) library = generate(library, `g${n}`);
    expect(library.images).toHaveLength(maxGenerated + 1);
    expect(ids(library)[0]).toBe('default');
    expect(ids(library).at(-1)).toBe('g5');
    expect([droppedBy(library, 2), droppedBy(open, 30), droppedBy(open, 31)]).toEqual([2, 0, 1]);
  });

  test('M40 pages hold four; deleting the last image of the last page steps back', () => {
    const library = reduce(generate(open, 'a', 'b', 'c', 'd'), { type: 'page', page: 1 });
    expect(pageCount(library)).toBe(2);
    expect(reduce(library, { type: 'delete', id: 'd' }).page).toBe(0);
    expect(reduce(library, { type: 'page', page: 9 }).page).toBe(1);
  });

  test('M42 showing existing images brings them to the front of the viewer', () => {
    const library = generate(open, 'a', 'b', 'c', 'd', 'e');
    expect(reduce(library, { type: 'show', ids: ['e', 'gone'] }).viewer).toEqual(['e', 'a', 'b', 'c']);
  });
});
