import { extensionOf, uploadKind } from '@cellfolio/contract';
import { storableJson } from '../job-table.ts';
import { openInput } from '../worker/job-inputs.ts';
import type { JobKindRules } from './job-kind.ts';
import { queueBuild, recordNewFile } from './record-file.ts';

/**
 * Copies a file with the records of its cells. The build of its dataset follows at once, since its owner has already
 * answered what the inspection would ask.
 */
export const copy: JobKindRules<never> = {
  lane: 'heavy',
  limitMs: 3600_000,
  isRestartable: true,
  async open(deps, run, { scratch, signal, progress }) {
    const file = await openInput(deps, run, { scratch, signal });
    progress.progress('Copying the file', 0);
    const { job } = run;
    const { columns = {}, processing = {}, copy: record } = job.request;
    const extension = extensionOf(file.original_filename);
    return {
      work: undefined,
      record: () =>
        recordNewFile(deps, run, {
          path: file.input.path,
          fileName: job.name,
          originalFilename: `${job.name}${extension}`,
          extension,
          description: file.description,
          mimeType: uploadKind(file.original_filename)?.mimeType ?? 'application/octet-stream',
          notes: [],
          signal,
          choices: { columns, processing },
          also: async (client, fileId) => {
            await client.query(
              'insert into cellfolio.copied_files (file_id, record) values ($1, $2::jsonb)',
              [fileId, storableJson(record)],
            );
            await client.query(
              `insert into cellfolio.combined_files (file_id, record)
               select $1, record from cellfolio.combined_files where file_id = $2`,
              [fileId, file.id],
            );
            await client.query(
              `insert into cellfolio.subclusterings (file_id, parent_id, record)
               select $1, parent_id, record from cellfolio.subclusterings where file_id = $2`,
              [fileId, file.id],
            );
            await queueBuild(client, { owner: job.owner_id, fileId, name: job.name, columns, processing });
          },
        }),
    };
  },
};
