import { type DocumentKind, documentKinds } from '../../runtime/user-documents.ts';

export interface AccountTable {
  /** Schema-qualified name. */
  table: string;
  /** File name in the archive without `.json`, shown to users. */
  name: string;
  title: string;
  /** SQL condition that selects the rows of an account; $1 is the id of its user, and of the owner that its user is. */
  where: string;
  order: string;
  /** Default: every column. Secrets, and data with a separate file, are left out. */
  columns?: string;
}

const ofUser = 'user_id = $1';
/** For tables of the private schema; in those of the public one an owner is called `user_id`. */
const ofOwner = 'owner_id = $1';
const ofFile = 'file_id in (select id from public.user_files where user_id = $1)';

function documentsOf({ kind }: Pick<DocumentKind, 'kind'>, name: string, title: string): AccountTable {
  return {
    table: 'cellfolio.user_documents',
    name,
    title,
    where: `${ofOwner} and kind = '${kind}'`,
    order: 'dataset_id, name, id',
  };
}

/** All tables with data of a user. A test compares the list with the tables that exist. */
export const accountTables: readonly AccountTable[] = [
  {
    table: 'auth.users',
    name: 'profile',
    title: 'Profile',
    where: 'id = $1',
    order: 'id',
    columns: `id, email, phone, email_confirmed_at, phone_confirmed_at, last_sign_in_at, raw_app_meta_data,
      raw_user_meta_data, is_anonymous, created_at, updated_at`,
  },
  {
    table: 'auth.identities',
    name: 'connected-accounts',
    title: 'Connected accounts',
    where: ofUser,
    order: 'created_at, id',
    columns: 'id, provider, provider_id, identity_data, last_sign_in_at, created_at',
  },
  {
    table: 'auth.sessions',
    name: 'sessions',
    title: 'Sessions',
    where: ofUser,
    order: 'created_at, id',
    columns: 'id, aal, amr, user_agent, ip, refreshed_at, created_at',
  },
  {
    table: 'auth.mfa_factors',
    name: 'authenticator-apps',
    title: 'Authenticator apps',
    where: ofUser,
    order: 'created_at, id',
    columns: 'id, friendly_name, factor_type, status, created_at',
  },
  {
    table: 'cellfolio.api_keys',
    name: 'api-keys',
    title: 'API keys',
    where: ofUser,
    order: 'created_at, id',
    columns: 'id, name, prefix, scopes, created_at, last_used_at, expires_at',
  },
  {
    table: 'cellfolio.connected_apps',
    name: 'connected-apps',
    title: 'Connected apps',
    where: ofUser,
    order: 'created_at, id',
    columns: 'id, client_id, client_name, redirect_uri, scopes, created_at, connected_at, last_used_at',
  },
  {
    table: 'cellfolio.tool_calls',
    name: 'tool-calls',
    title: 'Calls of tools for assistants',
    where: ofUser,
    order: 'id',
  },
  { table: 'public.subscriptions', name: 'plans', title: 'Plans', where: ofUser, order: 'source' },
  {
    table: 'cellfolio.payment_customers',
    name: 'payment-customer',
    title: 'Payment customer',
    where: ofOwner,
    order: 'customer_id',
  },
  {
    table: 'cellfolio.payment_subscriptions',
    name: 'paid-subscriptions',
    title: 'Paid subscriptions',
    where: ofOwner,
    order: 'subscription_id',
  },
  {
    table: 'public.subset_metadata',
    name: 'subsets',
    title: 'Saved subsets',
    where: ofUser,
    order: 'created_at, id',
  },
  {
    table: 'public.generated_images',
    name: 'figures',
    title: 'Kept figures and analyses',
    where: ofUser,
    order: 'created_at, image_id',
    // The pictures are files beside it.
    columns: `image_id, title, subtitle, image_type, dataset_name, disease_name, subset_group_name, figure_source,
      created_at`,
  },
  documentsOf(documentKinds.annotation, 'annotations', 'Annotations and kept numbers'),
  documentsOf(documentKinds.display, 'category-displays', 'Orders, colors and names of categories'),
  documentsOf(documentKinds.geneList, 'gene-lists', 'Gene lists'),
  documentsOf(documentKinds.link, 'links', 'Short links'),
  documentsOf(documentKinds.analysis, 'analyses', 'Analyses'),
  documentsOf(documentKinds.question, 'questions', 'Questions to the assistant'),
  documentsOf(documentKinds.modelConsent, 'model-consents', 'Consents to models'),
  {
    table: 'cellfolio.user_document_revisions',
    name: 'document-states',
    title: 'Contents of these seven',
    where: 'document_id in (select id from cellfolio.user_documents where owner_id = $1)',
    order: 'document_id, revision',
    // Values of cells are files beside it.
    columns: 'document_id, revision, at, body',
  },
  {
    table: 'cellfolio.shared_labels',
    name: 'shared-labels',
    title: 'Labels shared with short links',
    where: 'link_id in (select id from cellfolio.user_documents where owner_id = $1)',
    order: 'link_id, annotation_id',
    columns: 'link_id, annotation_id, name, body',
  },
  {
    table: 'cellfolio.active_datasets',
    name: 'open-datasets',
    title: 'Datasets open in tabs',
    where: ofUser,
    order: 'session_id',
  },
  { table: 'public.user_files', name: 'files', title: 'Files', where: ofUser, order: 'created_at, id' },
  {
    table: 'cellfolio.file_reports',
    name: 'file-reports',
    title: 'Reports on files',
    where: ofFile,
    order: 'file_id',
  },
  {
    table: 'cellfolio.custom_datasets',
    name: 'datasets',
    title: 'Datasets',
    where: ofFile,
    order: 'file_id',
  },
  {
    table: 'cellfolio.combined_files',
    name: 'combined-files',
    title: 'Combined files',
    where: ofFile,
    order: 'file_id',
  },
  {
    table: 'cellfolio.subclusterings',
    name: 'subclusterings',
    title: 'Subclusterings',
    where: ofFile,
    order: 'file_id',
  },
  {
    table: 'cellfolio.copied_files',
    name: 'copied-files',
    title: 'Copied files',
    where: ofFile,
    order: 'file_id',
  },
  {
    table: 'cellfolio.jobs',
    name: 'jobs',
    title: 'Jobs',
    where: ofOwner,
    order: 'created_at, id',
    columns: `id, kind, file_ids, name, request, state, log, problem, result_file_id, created_at, started_at,
      finished_at`,
  },
];

/** Tables that the archive leaves out, with the reason. */
export const otherTables: Readonly<Record<string, string>> = {
  'auth.audit_log_entries': 'nothing: no service writes it',
  'auth.flow_state': 'sign-ins on their way',
  'auth.mfa_challenges': 'sign-ins on their way',
  'auth.one_time_tokens': 'sign-ins on their way',
  'auth.rate_limits': 'counters without names',
  'auth.service_secrets': 'of the installation',
  'auth.signing_keys': 'of the installation',
  'cellfolio.app_tokens': 'tokens of connected apps, as hashes',
  'cellfolio.annotated_versions': 'barcodes, which the tables of annotations have',
  'cellfolio.job_cells': 'cells of jobs, which the files that were made of them have',
  'cellfolio.migrations': 'of the installation',
  'cellfolio.owners': 'ids, which the other tables have',
  'cellfolio.payment_events': 'of the payment provider',
  'cellfolio.test_payment_links': 'payments of a demo on their way',
  'public.contact_submissions': 'messages to the operator',
  'storage.buckets': 'of the installation',
  'storage.dead_blobs': 'bytes that are about to be deleted',
  'storage.objects': 'the files, which are in the archive themselves',
  'storage.uploads': 'uploads on their way',
};
