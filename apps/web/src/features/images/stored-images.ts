import type { FigureSource } from '@cellfolio/contract';
import { readFigureSource } from '@cellfolio/contract';
import type { ImageType } from '@cellfolio/figures/content';
import { plotShape } from '@cellfolio/figures/content';
import type { Backend } from '@/lib/backend.ts';
import { readImageData } from './image-data.ts';
import type { LibraryImage } from './library-image.ts';
import { maxGenerated } from './library-image.ts';

export interface StoredImages {
  /** The newest thirty, without their files. */
  list(signal?: AbortSignal): Promise<LibraryImage[]>;
  count(): Promise<number>;
  oldest(count: number): Promise<string[]>;
  insert(image: LibraryImage, dataUrl: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  file(id: string, signal?: AbortSignal): Promise<Blob>;
}

export class ImageStoreFailed extends Error {
  override readonly name = 'ImageStoreFailed';
  readonly action: string;

  constructor(action: string, cause: unknown) {
    super(`Could not ${action}.`, { cause });
    this.action = action;
  }
}

export class UserNotAuthenticated extends Error {
  override readonly name = 'UserNotAuthenticated';

  constructor() {
    super('User not authenticated');
  }
}

const table = 'generated_images';
const described =
  'image_id,title,subtitle,image_type,dataset_name,disease_name,subset_group_name,created_at,figure_source,cell_count';
const uniqueViolation = '23505';

/** `userId` is `null` if no user is signed in: every call then fails with {@link UserNotAuthenticated}. */
export function storedImages(tables: Backend['tables'], userId: string | null): StoredImages {
  const rows = async () => {
    if (userId === null) throw new UserNotAuthenticated();
    return (await tables()).from(table);
  };
  const owner = userId ?? '';
  return {
    async list(signal) {
      const query = (await rows())
        .select(described)
        .eq('user_id', owner)
        .order('created_at', { ascending: false })
        .order('image_id', { ascending: false })
        .limit(maxGenerated);
      const { data, error } = await (signal ? query.abortSignal(signal) : query);
      if (error) throw new ImageStoreFailed('list the images', error);
      return data.map(readRow).filter((image) => image !== null);
    },
    async count() {
      const { count, error } = await (
        await rows()
      )
        .select('image_id', { count: 'exact', head: true })
        .eq('user_id', owner);
      if (error) throw new ImageStoreFailed('count the images', error);
      return count ?? 0;
    },
    async oldest(count) {
      const { data, error } = await (
        await rows()
      )
        .select('image_id')
        .eq('user_id', owner)
        .order('created_at', { ascending: true })
        .order('image_id', { ascending: true })
        .limit(count);
      if (error) throw new ImageStoreFailed('find the oldest images', error);
      return data.map(({ image_id }) => String(image_id));
    },
    async insert(image, dataUrl) {
      const { error } = await (
        await rows()
      ).insert({
        image_id: image.id,
        user_id: owner,
        title: image.title,
        subtitle: image.subtitle,
        image_data: dataUrl,
        image_type: image.type,
        dataset_name: image.datasetName,
        disease_name: image.diseaseName,
        subset_group_name: image.subsetGroupName,
        created_at: new Date(image.createdAt).toISOString(),
        figure_source: image.source ?? null,
        cell_count: image.cellCount ?? null,
      });
      // A retry after a lost response finds the row already there.
      if (error && error.code !== uniqueViolation) throw new ImageStoreFailed('save the image', error);
    },
    async remove(ids) {
      const some = await rows();
      const { error } =
        ids.length === 1
          ? await some
              .delete()
              .eq('user_id', owner)
              .eq('image_id', ids[0] ?? '')
          : await some
              .delete()
              .eq('user_id', owner)
              .in('image_id', [...ids]);
      if (error) throw new ImageStoreFailed('delete the image', error);
    },
    async file(id, signal) {
      const query = (await rows()).select('image_data').eq('user_id', owner).eq('image_id', id);
      const { data, error } = await (signal ? query.abortSignal(signal) : query).maybeSingle();
      if (error) throw new ImageStoreFailed('load the image', error);
      if (data === null) throw new ImageStoreFailed('load the image', new Error('It has been deleted.'));
      return readImageData(String(data['image_data']));
    },
  };
}

interface Row {
  image_id: unknown;
  title: unknown;
  subtitle: unknown;
  image_type: unknown;
  dataset_name: unknown;
  disease_name: unknown;
  subset_group_name: unknown;
  created_at: unknown;
  figure_source: unknown;
  cell_count: unknown;
}

/** `null` for the default image, which is not read from the table. */
function readRow(row: Row): LibraryImage | null {
  const type = row.image_type as ImageType;
  if (type === 'default') return null;
  const source = readFigureSource(row.figure_source) ?? null;
  const subtitle = text(row.subtitle);
  return {
    id: text(row.image_id),
    title: text(row.title),
    subtitle,
    type,
    plotKind: plotKindOf(source, subtitle),
    datasetName: text(row.dataset_name),
    diseaseName: text(row.disease_name),
    subsetGroupName: text(row.subset_group_name),
    imageUrl: null,
    source,
    cellCount: typeof row.cell_count === 'number' ? row.cell_count : null,
    createdAt: Date.parse(text(row.created_at)) || 0,
    saveState: 'yes',
  };
}

/** The table has no such column: derived from the image's source, or from its subtitle if the source is unknown. */
function plotKindOf(source: FigureSource | null, subtitle: string): LibraryImage['plotKind'] {
  if (source !== null) return plotShape(source.content);
  return /violin|by (cell type|cluster)|of all cells/i.test(subtitle) ? 'violin' : 'umap';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
