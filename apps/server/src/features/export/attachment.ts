import type { Admission } from '@cellfolio/platform';
import type { SelectionServices } from '../selection/index.ts';

export interface ExportingServices extends SelectionServices {
  /**
   * Bounds the memory of files in transit. The turns of `admission`, in which they are made, are not held while
   * sending.
   */
  exports: Admission;
}

export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
