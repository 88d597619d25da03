import { expect, test } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import { NotAnImage, readImageData } from './image-data.ts';
import { libraryImage, pngDataUrl } from './library-image.fixture.ts';
import { ImageStoreFailed, storedImages } from './stored-images.ts';

const here = '/rest/v1/generated_images';

test('the list is requested by user, newest first, thirty at most, and without the files', async () => {
  const fake = fakeServices();
  fake.answer(here, () =>
    json([
      {
        image_id: 'i',
        title: '<b>CD3D</b>',
        subtitle: null,
        image_type: 'gene',
        dataset_name: 'd',
        disease_name: 'x',
        subset_group_name: 'Global',
        created_at: '2026-01-02T03:04:05.678+00:00',
        // As it was named when the image was kept.
        figure_source: {
          dataset_filename: 'd',
          content: { kind: 'cell-state-violin', cell_state: 'HYPOXIA', minimum_genes: 2 },
        },
        cell_count: 274,
      },
      { image_id: 'old', title: 'T', image_type: 'default', created_at: 'x', figure_source: { evil: 1 } },
    ]),
  );
  const [image, ...others] = await storedImages(fake.services.tables, 'ada').list();
  expect(others).toEqual([]);
  expect(image).toMatchObject({
    id: 'i',
    title: '<b>CD3D</b>',
    subtitle: '',
    plotKind: 'violin',
    source: {
      content: { kind: 'score-violin', of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 2 },
    },
    imageUrl: null,
    saveState: 'yes',
    cellCount: 274,
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  });
  const query = new URLSearchParams(fake.requests[0]?.path.split('?')[1]);
  expect(query.get('user_id')).toBe('eq.ada');
  expect(query.get('order')).toBe('created_at.desc,image_id.desc');
  expect(query.get('limit')).toBe('30');
  expect(query.get('select')).not.toContain('image_data');
});

test('a row carries what the image is, its file and its source; a lost answer is no failure', async () => {
  const fake = fakeServices();
  const image = libraryImage('i', {
    cellCount: 5525,
    source: { dataset_filename: 'd', content: { kind: 'category-umap' } },
  });
  fake.answer(here, () => json(null, 201));
  await storedImages(fake.services.tables, 'ada').insert(image, pngDataUrl);
  expect(fake.requests[0]?.body).toEqual({
    image_id: 'i',
    user_id: 'ada',
    title: 'i',
    subtitle: 'Expression UMAP',
    image_data: pngDataUrl,
    image_type: 'gene',
    dataset_name: 'd',
    disease_name: '',
    subset_group_name: 'Global',
    created_at: '1970-01-01T00:00:00.000Z',
    figure_source: image.source,
    cell_count: 5525,
  });
  fake.answer(here, () => json({ code: '23505', message: 'duplicate key' }, 409));
  await expect(storedImages(fake.services.tables, 'ada').insert(image, pngDataUrl)).resolves.toBeUndefined();
  fake.answer(here, () => json({ code: '42501', message: 'row-level security' }, 403));
  await expect(storedImages(fake.services.tables, 'ada').insert(image, pngDataUrl)).rejects.toThrow(
    ImageStoreFailed,
  );
});

test('without a user nothing is requested from the server', async () => {
  const fake = fakeServices();
  const store = storedImages(fake.services.tables, null);
  await expect(store.insert(libraryImage('i'), pngDataUrl)).rejects.toThrow('User not authenticated');
  await expect(store.list()).rejects.toThrow('User not authenticated');
  expect(fake.requests).toEqual([]);
});

test('a file is a data URL or bare base64, of the type that its bytes say', async () => {
  for (const text of [pngDataUrl, 'iVBORw0KGgo=', 'data:image/svg+xml;base64,iVBORw0KGgo=']) {
    expect(readImageData(text).type).toBe('image/png');
  }
  for (const text of [
    `data:image/png;base64,${btoa('<svg onload="x()"/>')}`,
    'data:image/png;base64,%%%',
    '',
  ]) {
    expect(() => readImageData(text)).toThrow(NotAnImage);
  }
});
