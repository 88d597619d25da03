import type { Admission } from '@cellfolio/platform';
import type { SelectionServices } from '../selection/index.ts';

export interface ExportingServices extends SelectionServices {
  /**
   * Bounds the memory of files in transit. The turns of `admission`, in which they are made, are not held while
   * sending.
   */
  exports: Admission;
}

/** Marks that change the direction of writing are removed: they can disguise the extension of a file. */
export function attachment(name: string): string {
  const fileName = name.replaceAll(/\p{Bidi_Control}/gu, '_').toWellFormed();
  const plain = fileName.replaceAll(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
