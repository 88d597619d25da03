// Setup of a vitest run, and the order of its files.
import { BaseSequencer } from 'vitest/node';
import { useScratchFolder } from './scratch.mjs';
import { toolEnvironment } from './toolchain.mjs';

export function setup() {
  // Tests start the same program many times.
  process.env.NODE_COMPILE_CACHE ??= toolEnvironment.NODE_COMPILE_CACHE;
  return useScratchFolder();
}

/** Started first, as they take minutes, mostly waiting. */
const slow = [
  'conformance/cluster',
  'conformance/kill',
  'uploads/jobs',
  'embedded/embedded',
  'storage/storage-memory',
  'conformance/backup',
  'uploads/own-data',
  'boot/bucket',
  'embedded/power-cut',
  'conformance/storage-access',
];

export class SlowFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => {
      const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? slow.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
