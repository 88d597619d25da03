import { ApiFailure } from '../../runtime/api-failure.ts';
import { ownerOf } from '../../runtime/owners.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { ServerFigures } from '../ai/index.ts';
import type { Catalogue, ReadableDatasets } from '../catalogue/index.ts';
import { type Displays, subsetFilter, visitors } from '../selection/index.ts';
import type { FigureService } from './figures.ts';

const umapPath = /^\/api\/datasets\/([^/]+)\/umap\.png$/;

/** Figures that an analysis can refer to: UMAPs of the catalogue, and all that the explorer drew for the user. */
export function serverFigures({
  catalogue,
  readable,
  figures,
  displays: displayStore,
}: {
  catalogue: Pick<Catalogue, 'manifest'>;
  readable: Pick<ReadableDatasets, 'manifest'>;
  figures: Pick<FigureService, 'draw'>;
  displays: Pick<Displays, 'storedDisplays'>;
}): ServerFigures {
  return {
    imageAt: (path, signal) =>
      orNothing(async () => {
        const id = decoded(umapPath.exec(path)?.[1]);
        if (id === undefined) return undefined;
        // An address says nothing of who asks, so that of somebody's own dataset is none here.
        const manifest = await catalogue.manifest(id);
        const { bytes, spec } = await figures.draw(
          { manifest, subset: undefined },
          { kind: 'category-umap' },
          callContext(signal, visitors),
        );
        return { bytes, mediaType: 'image/png', figure: spec };
      }),
    specOf: (source, caller, signal) =>
      orNothing(async () => {
        const manifest = await readable.manifest(caller, source.dataset_filename);
        // Other data would have other numbers than the picture.
        if (source.version !== undefined && source.version !== manifest.version) return undefined;
        const subset = source.subset && subsetFilter(source.subset);
        const displays = await displayStore.storedDisplays(ownerOf(caller), manifest, source.displays);
        const { spec } = await figures.draw(
          { manifest, subset, displays },
          source.content,
          callContext(signal, () => [caller.userId]),
        );
        return spec;
      }),
  };
}

function callContext(signal: AbortSignal, users: () => readonly string[]): CallContext {
  return { signal, users, onProgress: () => undefined };
}

/** Undefined for a figure that does not exist or cannot be drawn from the data. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
