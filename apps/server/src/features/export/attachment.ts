import type { Admission } from '@cellfolio/platform';
import type { SelectionServices } from '../selection/index.ts';

/** What calls that send files need. */
export interface ExportingServices extends SelectionServices {
  /** Lets exports begin: each is held as long as its client takes for the file. */
  readonly exports: Admission;
}

/** `Content-Disposition` of a file of that name. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
