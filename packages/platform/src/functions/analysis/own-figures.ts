import type { FigureSource } from '@cellfolio/contract';

/** A picture of this server, read without any request over the network. */
export interface OwnImage {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageType;
  /** Spec of the figure that it is, with its numbers. */
  readonly figure?: unknown;
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** The figures that the server itself can show again. Undefined means that it has no such figure. */
export interface OwnFigures {
  /** @param path of an address of this server, as in a URL: with its percent signs, without a query */
  imageAt(path: string, signal: AbortSignal): Promise<OwnImage | undefined>;
  /** The spec of the figure that `source` names, with its numbers, as this user may see it. */
  specOf(source: FigureSource, userId: string, signal: AbortSignal): Promise<unknown>;
}
