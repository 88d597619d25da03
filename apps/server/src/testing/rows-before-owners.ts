import type { Database } from '@cellfolio/platform';

export const ada = '00000000-0000-4000-8000-000000000001';
export const bob = '00000000-0000-4000-8000-000000000002';

export const lastBeforeOwners = '20260101001050_user_documents.sql';

/** A row of a user in each table that has an owner, for a database of before there were owners. */
export const rowsBeforeOwners = [
  `insert into auth.users (id, email) values ('${ada}', 'ada@example.org'), ('${bob}', 'bob@example.org')`,
  `insert into public.subscriptions (user_id, tier) values ('${ada}', 'Professional')`,
  `insert into public.generated_images (user_id, title, image_data, image_type) values ('${ada}', 'T', 'data:,', 'gene')`,
  `insert into public.subset_metadata (user_id, subset_name) values ('${ada}', 'S')`,
  `insert into public.user_files (user_id, file_name, original_filename, file_path)
     values ('${ada}', 'F', 'f.h5ad', '${ada}/1_f.h5ad')`,
  `insert into cellfolio.jobs (user_id, kind, file_ids, name) select user_id, 'build', array[id], 'F' from public.user_files`,
  `insert into cellfolio.user_documents (owner_id, kind, name) values ('${ada}', 'gene-list', 'L')`,
  `insert into cellfolio.payment_customers (user_id, customer_id) values ('${ada}', 'cus_1')`,
  `insert into cellfolio.payment_subscriptions (subscription_id, user_id, tier, until, status, as_of, read_at)
     values ('sub_1', '${ada}', 'Standard', '2999-01-01', 'active', now(), now())`,
  `insert into cellfolio.test_payment_links (token_hash, user_id, purpose, expires_at)
     values ('h', '${ada}', 'portal', '2999-01-01')`,
];

/** How many rows Ada has in each of these tables as an owner, and how many owners there are. */
export async function countsOfOwners({ pool }: Pick<Database, 'pool'>): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(
    `select (select count(*)::int from cellfolio.owners) as owners,
       (select count(*)::int from public.subscriptions where user_id = $1) as plans,
       (select count(*)::int from public.generated_images where user_id = $1) as images,
       (select count(*)::int from public.subset_metadata where user_id = $1) as subsets,
       (select count(*)::int from public.user_files where user_id = $1) as files,
       (select count(*)::int from cellfolio.jobs where owner_id = $1) as jobs,
       (select count(*)::int from cellfolio.user_documents where owner_id = $1) as documents,
       (select count(*)::int from cellfolio.payment_customers where owner_id = $1) as customers,
       (select count(*)::int from cellfolio.paid_plan($1)) as paid,
       (select count(*)::int from cellfolio.test_payment_links where owner_id = $1) as links`,
    [ada],
  );
  return rows[0]!;
}
