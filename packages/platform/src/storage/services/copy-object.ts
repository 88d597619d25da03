import { blobKeyOf } from '../blob-key.ts';
import type { StorageContext } from '../storage-context.ts';
import type { Relocation } from './move-object.ts';
import { checkMimeType, checkSize, type FileDescription, objectMetadata, planUpload } from './plan-upload.ts';
import { Reservation } from './reservation.ts';
import { visibleObject } from './stored-object.ts';
import { abandonUpload, commitObject, type Uploaded } from './upload-object.ts';

export interface Copy extends Relocation {
  readonly upsert: boolean;
  /** Whether what was said of the source goes with it; otherwise what is said here counts. */
  readonly copyMetadata: boolean;
  readonly described: FileDescription;
  readonly userMetadata: Record<string, unknown> | null;
}

/** A second object with the same bytes, which count again. Throws StorageError, or the database's 42501. */
export async function copyObject(context: StorageContext, copy: Copy): Promise<Uploaded> {
  const { caller, upsert } = copy;
  const source = await visibleObject(context.database, caller, {
    bucketId: copy.bucketId,
    name: copy.sourceKey,
  });
  const { size, eTag } = source.metadata;
  const plan = await planUpload(context, {
    caller,
    bucketId: copy.destinationBucket,
    name: copy.destinationKey,
    upsert,
  });
  checkSize(size, plan.maxBytes);
  checkMimeType(
    copy.copyMetadata ? source.metadata.mimetype : (copy.described.mimetype ?? source.metadata.mimetype),
    plan.allowedMimeTypes,
  );
  await Reservation.open(context, plan, { atLeast: size, atMost: size });
  try {
    await context.blobs.copy(blobKeyOf(source.version), blobKeyOf(plan.version));
    const described = copy.copyMetadata
      ? source.metadata
      : {
          mimetype: copy.described.mimetype ?? source.metadata.mimetype,
          cacheControl: copy.described.cacheControl,
        };
    const userMetadata = copy.copyMetadata ? source.user_metadata : copy.userMetadata;
    const metadata = objectMetadata({ size, eTag }, described, context.now());
    const id = await commitObject(context, plan, metadata, userMetadata);
    return { Id: id, Key: `${plan.bucketId}/${plan.name}` };
  } catch (error) {
    await abandonUpload(context, plan.version);
    throw error;
  }
}
