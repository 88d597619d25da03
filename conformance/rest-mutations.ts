import { createRandom } from '@cellfolio/server';

interface MutatedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const pathsOf = (owner: string) => [
  `/generated_images?select=*&user_id=eq.${owner}&order=created_at.desc&limit=30`,
  '/generated_images?image_id=in.(a,"b,c",d)',
  `/subset_metadata?select=*&user_id=eq.${owner}&dataset_name=eq.GSE1+file.h5ad&order=created_at.desc`,
  `/subset_metadata?id=eq.${owner}&user_id=eq.${owner}`,
  '/user_files?select=*&order=created_at.desc&original_filename=ilike.%25.h5ad',
  '/user_files?or=(file_name.eq.x,and(file_size.gt.1,file_size.lt.9))&select=id,file_name::text',
  '/contact_submissions?columns="name","email","message"',
  `/subscriptions?select=tier,until&user_id=eq.${owner}`,
  '/rpc/list_api_keys?select=name',
  '/rpc/revoke_api_key',
];

const rowsOf = (owner: string) => [
  { user_id: owner, title: 't', image_data: 'data:,', image_type: 'gene' },
  { user_id: owner, subset_name: 's', selected_cell_types: ['a'], filter_config: { a: 1 } },
  { user_id: owner, file_name: 'f', original_filename: 'f.h5ad', file_path: `${owner}/f.h5ad` },
  { user_id: owner, tier: 'Professional' },
  { key_id: owner },
];

const piecesFor = (owner: string, other: string) => [
  "'",
  '"',
  '\\',
  ')',
  '((',
  ',',
  '..',
  '*',
  '%00',
  '%ff',
  '%',
  '->',
  '->>0',
  '::text',
  '::regclass',
  '!inner',
  '(*)',
  'not.',
  '.not.or',
  '--',
  ';drop table subset_metadata',
  "' or '1'='1",
  '$1',
  '{',
  '\u{1f4a5}',
  'null',
  'auth.users',
  'cellfolio.api_keys',
  'pg_catalog.pg_class',
  '9'.repeat(400),
  'x'.repeat(3000),
  '(or'.repeat(40),
  '&user_id=not.is.null',
  '&select=count()',
  '&limit=-1',
  '&offset=99999999999999999999',
  `&on_conflict=id`,
  `&or=(user_id.eq.${owner},user_id.eq.${other})`,
  '&order=created_at.sideways',
  '&select=*,auth.users(*)',
  '&user_id=match.((((',
  '&__proto__=eq.1',
  '&constructor=eq.1',
];

const headerSets: Record<string, string>[] = [
  {},
  { prefer: 'return=representation' },
  { prefer: 'return=representation,count=planned' },
  { prefer: 'resolution=merge-duplicates,return=representation' },
  { prefer: 'resolution=ignore-duplicates,missing=default' },
  { prefer: 'handling=strict,nonsense' },
  { accept: 'application/vnd.pgrst.object+json' },
  { accept: 'application/vnd.pgrst.plan+json' },
  { accept: 'text/csv' },
  { accept: 'nonsense' },
  { 'accept-profile': 'auth', 'content-profile': 'cellfolio' },
  { range: '0-0' },
  { range: '9-0', 'range-unit': 'items' },
  { 'content-type': 'text/csv' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'x-as': 'anon' },
];

export function mutatedRequests(
  count: number,
  seed: string,
  { owner, other }: { owner: string; other: string },
): MutatedRequest[] {
  const { uniform: random } = createRandom(seed);
  const [paths, rows, pieces] = [pathsOf(owner), rowsOf(owner), piecesFor(owner, other)];
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

  const bodies = (valid: string): string =>
    pick([
      () => valid,
      () => valid.slice(0, Math.floor(random() * valid.length)),
      () => valid.replace(/"[^"]*"/, '"__proto__"'),
      () => valid.replaceAll(owner, pick([other, 'x', '', `${owner}'`])),
      () => valid.replace('{', '{"\\u0000":1,'),
      () => valid.replace(/:"[^"]*"/, ':{"a":[1,{"b":null}]}'),
      () => valid.replace(/:"[^"]*"/, ':"\\ud800"'),
      () => valid.replace(/:"[^"]*"/, ':1e999'),
      () => `[${valid},${valid}]`,
      () => `[${valid},null]`,
      () => '['.repeat(5000),
      () => `{"filter_config":${'['.repeat(500)}${']'.repeat(500)}}`,
      () => 'null',
      () => '""',
      () => '',
    ])();

  const insertInto = (text: string): string => {
    const at = 1 + Math.floor(random() * text.length);
    return text.slice(0, at) + pick(pieces) + text.slice(at);
  };
  return Array.from({ length: count }, (): MutatedRequest => {
    const method = pick(['GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT']);
    let path = pick(paths);
    const changes = Math.floor(random() * 3);
    for (let change = 0; change < changes; change += 1) path = insertInto(path);
    const withBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
    return {
      method,
      // Escapes characters that are not allowed in a URL, but keeps invalid escapes.
      path: path.replaceAll(/[^\x21-\x7e]|["<>\\^`{|}#]/gu, (character) =>
        // A lone surrogate becomes three bytes of invalid UTF-8.
        character.isWellFormed() ? encodeURIComponent(character) : '%ed%a0%80',
      ),
      // Most without unusual headers, so that they reach the database.
      headers: random() < 0.6 ? {} : pick(headerSets),
      ...(withBody && { body: bodies(JSON.stringify(pick(rows))) }),
    };
  });
}
