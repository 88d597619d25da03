import type { Caller } from '../../runtime/owners.ts';
import type { FigureSource } from '@cellfolio/contract';
import { FunctionError } from '@cellfolio/platform';

/** A picture of this server, read without a network request. */
export interface ServerImage {
  bytes: Uint8Array;
  mediaType: ImageType;
  figure?: unknown;
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Figures that the server itself can show again. Undefined means that it has no such figure. */
export interface ServerFigures {
  /** `path` is the percent-encoded path of an address of this server, without a query. */
  imageAt(path: string, signal: AbortSignal): Promise<ServerImage | undefined>;
  /** The spec of the figure that `source` identifies, with its numbers, subject to the user's access. */
  specOf(source: FigureSource, caller: Caller, signal: AbortSignal): Promise<unknown>;
}

/** Maximum picture size in bytes; our own figures have a tenth of it. */
export const maxImageBytes = 6 * 1024 * 1024;

/** Magic bytes; the declared media type is not trusted. */
const signatures: Readonly<Record<ImageType, (bytes: Uint8Array) => boolean>> = {
  'image/png': (bytes) => begins(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (bytes) => begins(bytes, 0, [0xff, 0xd8, 0xff]),
  'image/webp': (bytes) =>
    begins(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && begins(bytes, 8, [0x57, 0x45, 0x42, 0x50]),
};

interface ImageDeps {
  serverFigures: ServerFigures | undefined;
  origins: readonly string[];
  signal: AbortSignal;
}

/**
 * Resolves an image address: the bytes of a data URL, or a figure of this server, drawn locally. Never fetches an
 * address. Throws FunctionError 400 or 413.
 */
export async function imageOf(
  imageUrl: string,
  { serverFigures, origins, signal }: ImageDeps,
): Promise<ServerImage> {
  if (/^data:/i.test(imageUrl)) return imageOfDataUrl(imageUrl);
  const path = ownPath(imageUrl, origins);
  const image = path === undefined ? undefined : await serverFigures?.imageAt(path, signal);
  if (image) return image;
  throw new FunctionError(
    400,
    'image_not_ours',
    'imageUrl: Send the picture itself as a data URL, or the address of a UMAP of this server. Other addresses are never opened.',
  );
}

/** The path of an address on this server; undefined for every other address. */
export function ownPath(address: string, origins: readonly string[]): string | undefined {
  // Readers of addresses drop or turn some characters; an address that has them is none that we gave out.
  if (address.length > 4096 || /[\s\p{Cc}\\]/u.test(address)) return undefined;
  if (address.startsWith('//')) return undefined;
  if (!address.startsWith('/') && !/^https?:\/\//i.test(address)) return undefined;
  const url = URL.parse(address, 'http://here.invalid');
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (!address.startsWith('/') && !origins.includes(url.origin)) return undefined;
  return url.pathname;
}

function imageOfDataUrl(address: string): ServerImage {
  const comma = address.indexOf(',');
  const mediaType = /^data:image\/(png|jpeg|jpg|webp);base64$/i.exec(
    comma < 0 || comma > 64 ? '' : address.slice(0, comma),
  )?.[1];
  if (mediaType === undefined) {
    throw notAnImage('Send a PNG, JPEG or WebP picture as a data URL in base64.');
  }
  const base64 = address.slice(comma + 1);
  if (base64.length > Math.ceil(maxImageBytes / 3) * 4) {
    throw new FunctionError(
      413,
      'image_too_large',
      `imageUrl: A picture may have at most ${maxImageBytes / 1024 / 1024} MiB.`,
    );
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw notAnImage('The data URL is not base64.');
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  const type = `image/${mediaType.toLowerCase().replace('jpg', 'jpeg')}` as ImageType;
  if (!signatures[type](bytes)) throw notAnImage('The data is not an image of the declared type.');
  return { bytes, mediaType: type };
}

function notAnImage(what: string): FunctionError {
  return new FunctionError(400, 'not_an_image', `imageUrl: ${what}`);
}

function begins(bytes: Uint8Array, from: number, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[from + at] === byte);
}
