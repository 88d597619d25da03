import { join } from 'node:path';
import { combinedRecord } from '@cellfolio/contract';
import { storableJson } from '../job-table.ts';
import type { CombineWork } from '../work/index.ts';
import { openInputs } from '../worker/job-inputs.ts';
import type { JobKindRules } from './job-kind.ts';
import { annDataFile, recordNewFile } from './record-file.ts';

/** Makes one AnnData file of several samples; the choices for them are passed on to its dataset. */
export const combine: JobKindRules<CombineWork> = {
  lane: 'heavy',
  limitMs: 2 * 3600_000,
  isRestartable: true,
  async open(deps, run, { scratch, signal }) {
    const files = await openInputs(deps, run, { scratch, signal });
    const samples = run.job.request.combine;
    if (!samples) throw new Error(`The job ${run.job.id} has no samples.`);
    const output = join(scratch, 'combined.h5ad');
    return {
      work: {
        kind: 'combine',
        samples: samples.samples.map(({ sample, values }, at) => ({
          file: files[at]!.input,
          sample,
          values,
          genesIn: files[at]!.choices.columns?.genesIn,
        })),
        genes: samples.genes,
        output,
      },
      async record({ notes, record }, unlogged) {
        const parsed = combinedRecord.parse(record);
        await recordNewFile(deps, run, {
          ...annDataFile(run),
          notes: unlogged(notes),
          path: output,
          signal,
          choices: { processing: { samples: samples.choices } },
          also: async (client, fileId) => {
            await client.query(
              'insert into cellfolio.combined_files (file_id, record) values ($1, $2::jsonb)',
              [fileId, storableJson(parsed)],
            );
          },
        });
      },
    };
  },
};
