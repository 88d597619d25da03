// The order of test files where none has been measured yet, as on a fresh clone.
import { BaseSequencer } from 'vitest/node';

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
