import { expect, test, vi } from 'vitest';
import { downloadImage, imageFileName } from './download-image.ts';
import { imageAge } from './image-age.ts';
import type { LibraryImage } from './library-image.ts';

test('M41 the file name is built from dataset, title and kind of plot', () => {
  expect(imageFileName({ datasetName: 'tumour one.h5ad', title: 'CD3D', plotKind: 'umap' })).toBe(
    'tumour_one_CD3D_UMAP.png',
  );
  expect(imageFileName({ datasetName: 'a/../b', title: 'HLA-DRA', plotKind: 'violin' })).toBe(
    'a_.._b_HLA-DRA_Violin.png',
  );
});

test('M41 downloading a drawn figure saves the bytes of its PNG under that name', async () => {
  let saved: Blob | undefined;
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => ((saved = blob), 'blob:x'),
      revokeObjectURL: () => {},
    }),
  );
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    expect(this.download).toBe('d_CD3D_UMAP.png');
  });
  const image = { datasetName: 'd', title: 'CD3D', plotKind: 'umap', imageUrl: 'data:image/png;base64,iVBO' };
  await downloadImage(image as LibraryImage);
  expect(click).toHaveBeenCalledOnce();
  expect(saved?.type).toBe('image/png');
  expect(saved?.size).toBe(3);
});

test('M40 the age of an image is Just now up to a minute, then minutes, hours, and the date', () => {
  const now = new Date(2026, 4, 20, 12).getTime();
  expect(imageAge(now - 60_000, now)).toBe('Just now');
  expect(imageAge(now - 59 * 60_000, now)).toBe('59m ago');
  expect(imageAge(now - 23 * 3_600_000, now)).toBe('23h ago');
  expect(imageAge(now - 48 * 3_600_000, now)).toBe('5/18/2026');
});
