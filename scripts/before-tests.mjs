// What all test files of a run share, set before the first of them starts.
import { useScratchFolder } from './scratch.mjs';
import { toolEnvironment } from './toolchain.mjs';

export function setup() {
  // The processes that tests start read the same program again and again.
  process.env.NODE_COMPILE_CACHE ??= toolEnvironment.NODE_COMPILE_CACHE;
  return useScratchFolder();
}
