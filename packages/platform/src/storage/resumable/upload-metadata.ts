import { StorageError } from '../storage-error.ts';
import type { FileDescription } from '../services/plan-upload.ts';

/** What the sender said of the file when the upload was created. Throws StorageError `InvalidRequest`. */
export function describedIn(
  metadata: Readonly<Record<string, string | null>>,
): FileDescription & { readonly userMetadata: Record<string, unknown> | null } {
  const { contentType, cacheControl, metadata: userMetadata } = metadata;
  return {
    mimetype: contentType ?? undefined,
    cacheControl:
      cacheControl && /^\d+$/.test(cacheControl) ? `max-age=${cacheControl}` : (cacheControl ?? undefined),
    userMetadata: userMetadata ? objectIn(userMetadata) : null,
  };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The metadata of the upload is not JSON.', { cause });
  }
  throw new StorageError('InvalidRequest', 'The metadata of the upload is not a JSON object.');
}
