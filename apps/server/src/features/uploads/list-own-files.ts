import { fileReport, type FileReport, type OwnFile, type OwnFiles } from '@cellfolio/contract';
import { type Client, type JobRow, jobColumns, jobOf } from './job-table.ts';
import { namesWithin } from './work/plain-text.ts';

const listedEnded = 50;

/** What is known of a user's files, and the jobs on them; newest first. */
export async function listOwnFiles(
  client: Pick<Client, 'query'>,
  userId: string,
): Promise<Pick<OwnFiles, 'files' | 'jobs'>> {
  const { rows: files } = await client.query<OwnFileRow>(ownFilesQuery, [userId]);
  const { rows: jobs } = await client.query<JobRow>(
    `(select ${jobColumns} from cellfolio.jobs where user_id = $1 and state in ('queued', 'running'))
     union all
     (select ${jobColumns} from cellfolio.jobs where user_id = $1 and state not in ('queued', 'running')
      order by created_at desc limit $2)
     order by created_at desc, id`,
    [userId, listedEnded],
  );
  return { files: files.map(ownFileOf), jobs: jobs.map(jobOf) };
}

interface OwnFileRow extends Pick<OwnFile, 'file_id' | 'report' | 'problem'> {
  readonly state: NonNullable<OwnFile['dataset']>['state'] | null;
  readonly job_id: string | null;
  readonly cells: number | null;
  readonly genes: number | null;
  readonly columns: NonNullable<OwnFile['dataset']>['columns'];
  readonly processing: NonNullable<OwnFile['dataset']>['processing'];
  readonly processed: NonNullable<OwnFile['dataset']>['processed'];
  readonly dataset_problem: NonNullable<OwnFile['dataset']>['problem'];
}

const ownFilesQuery = `
  select f.id as file_id, r.report, r.problem, cellfolio.dataset_state(d) as state, d.job_id, d.cells, d.genes, d.columns, d.processing, d.processed,
    d.problem as dataset_problem
  from public.user_files f
  left join cellfolio.file_reports r on r.file_id = f.id
  left join cellfolio.custom_datasets d on d.file_id = f.id and not d.outdated
  where f.user_id = $1
  order by f.created_at desc, f.id
  limit cellfolio.most_user_files()`;

function ownFileOf(row: OwnFileRow): OwnFile {
  const { file_id, report, problem, state } = row;
  const dataset = state && {
    state,
    job_id: row.job_id,
    cells: row.cells,
    genes: row.genes,
    columns: row.columns,
    processing: row.processing,
    processed: row.processed,
    problem: row.dataset_problem,
  };
  // One that was written by an earlier version gets the defaults of what it lacks; one that does not fit counts as none.
  const known = fileReport.safeParse(report).data ?? null;
  return { file_id, report: known && boundedReport(known), problem, dataset };
}

/** Reports of an earlier version may list names of any length. */
function boundedReport(report: FileReport): FileReport {
  if (report.kind !== 'h5ad') return report;
  return {
    ...report,
    roles: report.roles.map((role) => ({ ...role, alternatives: namesWithin(role.alternatives) })),
    metadata: namesWithin(report.metadata),
  };
}
