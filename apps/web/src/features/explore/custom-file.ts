/** An uploaded file that is explored. */
export interface CustomFile {
  id: string;
  name: string;
}

/** What stands in the place of a disease for an upload. */
export const customDisease = 'Custom Data';

/** The id of an uploaded file as a dataset. */
export function customDataset({ id }: CustomFile): string {
  return `custom:${id}`;
}

/** The upload that an address names: by its own fields, or as a dataset that was opened before. */
export function readCustomFile(params: URLSearchParams): CustomFile | null {
  const id = params.get('customFileId') ?? /^custom:(.+)$/.exec(params.get('dataset') ?? '')?.[1] ?? '';
  return id === '' ? null : { id, name: params.get('customFileName') ?? '' };
}
