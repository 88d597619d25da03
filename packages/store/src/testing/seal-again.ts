import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetFolder } from '../dataset-id.ts';
import { datasetVersion } from '../dataset-version.ts';
import type { DatasetManifest } from '../manifest.ts';

/**
 * Makes a dataset that was changed by hand whole again: its manifest, as `change` has it, with the checksums of the
 * files that are there.
 */
export async function sealAgain(
  root: string,
  id: string,
  change: (manifest: DatasetManifest) => DatasetManifest = (manifest) => manifest,
): Promise<void> {
  const folder = datasetFolder(root, id);
  const path = join(folder, 'manifest.json');
  const manifest = change(JSON.parse(await readFile(path, 'utf8')) as DatasetManifest);
  const files = Object.fromEntries(
    await Promise.all(
      Object.keys(manifest.files).map(async (name) => {
        const bytes = await readFile(join(folder, name));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return [name, { size: bytes.length, sha256 }] as const;
      }),
    ),
  );
  const version = datasetVersion(files, manifest);
  await writeFile(path, JSON.stringify({ ...manifest, files, version }));
}
