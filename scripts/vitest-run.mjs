// What a run of vitest needs besides its configuration: a temporary folder, and an order of its files.
import { BaseSequencer } from 'vitest/node';
import { useScratchFolder } from './scratch.mjs';
import { toolEnvironment } from './toolchain.mjs';

/** What all test files of a run share, set before the first of them starts. */
export function setup() {
  // The processes that tests start read the same program again and again.
  process.env.NODE_COMPILE_CACHE ??= toolEnvironment.NODE_COMPILE_CACHE;
  return useScratchFolder();
}

/** Minutes on a busy machine, most of which they wait: begun last, they would be waited for alone. */
const slow = [
  'conformance/cluster',
  'conformance/kill',
  'uploads/jobs',
  'ops/main',
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
