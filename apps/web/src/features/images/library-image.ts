import type { FigureSource } from '@cellfolio/contract';
import type { ImageType } from '@cellfolio/plots/content';
import { picturedContent } from '@cellfolio/plots/content';

/** What makes two images the same: the duplicate guard compares these. */
export interface ImageIdentity {
  title: string;
  type: ImageType;
  plotKind: 'umap' | 'violin';
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /**
   * What the image was drawn from, where it is known. Two images with a source are the same only if their sources
   * show the same kind of thing on the same cells: a subset keeps its name when its filter is changed.
   */
  source?: FigureSource | null | undefined;
}

/** What an image says of itself beyond its identity. */
interface ImageText {
  subtitle: string;
  /** Cells of the subset when it was drawn; `null` where that is not known, as of older images. */
  cellCount?: number | null | undefined;
}

/** A drawn figure on its way into the library. */
export interface GeneratedImage extends ImageIdentity, ImageText {
  /** A PNG as a data URL. */
  imageUrl: string;
}

/** An image of the library. Its file is kept apart from it: see `use-image-file.ts`. */
export interface LibraryImage extends ImageIdentity, ImageText {
  id: string;
  /** An address of the default image; `null` for the others, whose file is asked for when it is shown. */
  imageUrl: string | null;
  /** Why there is no such image and will be none, in words. */
  missing?: string | undefined;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether the user's library on the server has it. */
  kept: 'yes' | 'saving' | 'failed';
}

export function sameImage(a: ImageIdentity, b: ImageIdentity): boolean {
  return (
    a.title === b.title &&
    a.type === b.type &&
    a.plotKind === b.plotKind &&
    a.datasetName === b.datasetName &&
    a.diseaseName === b.diseaseName &&
    a.subsetGroupName === b.subsetGroupName &&
    sameSource(a.source, b.source)
  );
}

function sameSource(a: ImageIdentity['source'], b: ImageIdentity['source']): boolean {
  if (!a || !b) return true;
  return (
    a.content.kind === b.content.kind &&
    canonical({
      version: a.version ?? null,
      subset: a.subset ?? null,
      content: picturedContent(a.content),
    }) ===
      canonical({ version: b.version ?? null, subset: b.subset ?? null, content: picturedContent(b.content) })
  );
}

/** The same text for the same value, whatever order its keys came in: a database may order them anew. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
