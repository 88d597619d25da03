import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { type RestClient, type RestPerson, type RestWorld, restWorld, tokenClients } from './rest-world.ts';

describe.each(databases)('tables on the $name database', ({ name, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: RestWorld;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await restWorld(database);
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  describe.each(clientsOn(name, tokenClients))('supabase-js $version', ({ version, make }) => {
    let owner: RestPerson;
    let other: RestPerson;
    let mine: RestClient;
    let others: RestClient;
    let visitor: RestClient;
    beforeAll(async () => {
      const { url, keys } = world.server;
      owner = await world.person('Professional');
      other = await world.person('Professional');
      mine = make(url, keys.publishableKey, owner.token);
      others = make(url, keys.publishableKey, other.token);
      visitor = make(url, keys.publishableKey);
    });

    const image = (title: string, more: object = {}) => ({
      user_id: owner.id,
      title,
      subtitle: null,
      image_data: 'data:image/png;base64,AAAA',
      image_type: 'gene',
      dataset_name: 'GSE1 file.h5ad',
      disease_name: 'Lupus, "SLE" (adult)',
      subset_group_name: 'Default',
      ...more,
    });

    test('images: insert, read the newest 30, count, delete by a list of ids', async () => {
      const inserted = await mine.from('generated_images').insert(image('first', { cell_count: 5525 }));
      expect(inserted).toMatchObject({ status: 201, error: null, data: null });
      const several = Array.from({ length: 4 }, (_, n) =>
        image(`more ${n}`, { image_id: `id ${n}, "x" (${n})` }),
      );
      expect((await mine.from('generated_images').insert(several)).error).toBeNull();

      const listed = await mine
        .from('generated_images')
        .select('*')
        .eq('user_id', owner.id)
        .order('created_at', { ascending: false })
        .limit(30);
      expect(listed.error).toBeNull();
      expect(listed.data).toHaveLength(5);
      expect(Object.keys(listed.data![0]!).sort()).toEqual(
        'cell_count created_at dataset_name disease_name figure_source id image_data image_id image_type subset_group_name subtitle title user_id'.split(
          ' ',
        ),
      );
      expect(listed.data!.map((row) => row.cell_count)).toContain(5525);
      const counted = await mine
        .from('generated_images')
        .select('*', { count: 'exact', head: true })
        .eq('user_id', owner.id);
      expect(counted).toMatchObject({ count: 5, data: null, error: null });

      // Images of others cannot be read, deleted or added.
      const visible = await others
        .from('generated_images')
        .select('*', { count: 'exact' })
        .eq('user_id', owner.id);
      expect(visible).toMatchObject({ data: [], count: 0, error: null });
      const theirs = await others
        .from('generated_images')
        .delete()
        .in('image_id', ['id 1, "x" (1)'])
        .select();
      expect(theirs).toMatchObject({ data: [], error: null });
      const forged = await others.from('generated_images').insert(image('forged'));
      expect(forged).toMatchObject({ status: 403, error: { code: '42501' } });
      // Ids are unique per user only.
      const same = image('same', { user_id: other.id, image_id: 'id 1, "x" (1)' });
      expect((await others.from('generated_images').insert(same)).error).toBeNull();

      const deleted = await mine
        .from('generated_images')
        .delete()
        .in('image_id', ['plain', 'id 2, "x" (2)', 'none']);
      expect(deleted).toMatchObject({ status: 204, error: null });
      const left = (await mine.from('generated_images').select('id, title').order('title')).data!;
      expect(left).toHaveLength(4);
      const byRow = await mine
        .from('generated_images')
        .delete()
        .in('id', [left.findLast(({ title }) => title.startsWith('more'))!.id]);
      expect(byRow).toMatchObject({ status: 204, error: null });
      expect((await mine.from('generated_images').select('id')).data).toHaveLength(3);
      const first = listed.data!.find(({ title }) => title === 'first')!;
      const one = await mine.from('generated_images').delete().eq('image_id', first.image_id).select('title');
      expect(one.data).toEqual([{ title: 'first' }]);
      await mine.from('generated_images').delete().eq('user_id', owner.id);
      expect((await mine.from('generated_images').select('*', { count: 'exact', head: true })).count).toBe(0);
      expect((await others.from('generated_images').select('title')).data).toEqual([{ title: 'same' }]);
    });

    test('contact messages: signed in or not, no user can read them', async () => {
      const message = { name: `V${version}`, email: 'v@example.org', subject: 'Hi', message: 'a "b", c' };
      for (const client of [visitor, mine]) {
        expect(await client.from('contact_submissions').insert([message])).toMatchObject({
          status: 201,
          error: null,
        });
        const { error } = await client.from('contact_submissions').select('*');
        expect(error?.code).toBe('42501');
        const back = await client.from('contact_submissions').insert([message]).select();
        expect(back.error?.code).toBe('42501');
        const late = await client
          .from('contact_submissions')
          .insert([{ ...message, created_at: '2020-01-01' }]);
        expect(late.error?.code).toBe('42501');
      }
      const { rows } = await database.pool.query<{ n: string }>(
        'select count(*) as n from public.contact_submissions where name = $1',
        [message.name],
      );
      expect(rows[0]?.n).toBe('2');
    });

    test('subsets: saved, listed for one dataset, changed and deleted', async () => {
      const subset = (name: string, more: object = {}) => ({
        user_id: owner.id,
        subset_name: name,
        subset_type: 'gene',
        gene_symbol: 'TP53,BRCA1',
        percentile: 12.5,
        selected_cell_types: ['T cell', 'B cell, "naive"'],
        dataset_name: 'GSE1 file.h5ad',
        disease_name: 'Lupus & co; 100%',
        filter_config: { activeFilterTypes: ['gene'], geneFilter: { genes: ['TP53'], minPercentile: null } },
        ...more,
      });
      const inserted = await mine.from('subset_metadata').insert(subset('A')).select().single();
      expect(inserted).toMatchObject({ status: 201, error: null });
      expect(inserted.data).toMatchObject(subset('A'));
      await mine.from('subset_metadata').insert([subset('B'), subset('C', { dataset_name: 'other' })]);

      const listed = await mine
        .from('subset_metadata')
        .select('*')
        .eq('user_id', owner.id)
        .eq('dataset_name', 'GSE1 file.h5ad')
        .eq('disease_name', 'Lupus & co; 100%')
        .order('created_at', { ascending: false });
      expect(listed.data?.map(({ subset_name }) => subset_name)).toEqual(['B', 'A']);

      const filter = { activeFilterTypes: [], api_payload: { cell_type: ['x'] } };
      const { id } = inserted.data as { id: string };
      const changed = await mine
        .from('subset_metadata')
        .update({ filter_config: filter })
        .eq('id', id)
        .eq('user_id', owner.id);
      expect(changed).toMatchObject({ status: 204, error: null });
      const read = await mine
        .from('subset_metadata')
        .select('filter_config, updated_at, created_at')
        .eq('id', id)
        .single();
      expect(read.data?.filter_config).toEqual(filter);
      expect(read.data!.updated_at > read.data!.created_at).toBe(true);

      // Subsets of others do not exist for any call.
      expect(
        await others.from('subset_metadata').update({ subset_name: 'stolen' }).eq('id', id).select(),
      ).toMatchObject({ data: [], error: null });
      expect(await others.from('subset_metadata').delete().eq('id', id).select()).toMatchObject({ data: [] });
      expect(await others.from('subset_metadata').select().eq('id', id).maybeSingle()).toMatchObject({
        data: null,
        error: null,
      });
      const reassigned = await mine.from('subset_metadata').update({ user_id: other.id }).eq('id', id);
      expect(reassigned.error?.code).toBe('42501');

      expect(await mine.from('subset_metadata').delete().eq('id', id).eq('user_id', owner.id)).toMatchObject({
        status: 204,
        error: null,
      });
      expect((await mine.from('subset_metadata').select('subset_name').order('subset_name')).data).toEqual([
        { subset_name: 'B' },
        { subset_name: 'C' },
      ]);
      await mine.from('subset_metadata').delete().eq('user_id', owner.id);
    });

    test('file records: insert, list without a filter by user, filter by extension, delete by id', async () => {
      const file = (name: string, at: number, user = owner.id) => ({
        user_id: user,
        file_name: 'My file',
        original_filename: name,
        description: null,
        file_size: 2 ** 40,
        mime_type: 'application/octet-stream',
        file_path: `${user}/${at}_${name}`,
      });
      expect(await mine.from('user_files').insert(file('a.h5ad', 1))).toMatchObject({
        status: 201,
        error: null,
      });
      await mine.from('user_files').insert(file('B.H5AD', 2));
      await mine.from('user_files').insert(file('genes.tsv', 3));
      await others.from('user_files').insert(file('theirs.h5ad', 4, other.id));

      const listed = await mine.from('user_files').select('*').order('created_at', { ascending: false });
      expect(listed.data?.map((row) => row.original_filename)).toEqual(['genes.tsv', 'B.H5AD', 'a.h5ad']);
      expect(listed.data?.[0]).toMatchObject({ ...file('genes.tsv', 3), id: expect.any(String) });
      const usable = await mine
        .from('user_files')
        .select('*')
        .ilike('original_filename', '%.h5ad')
        .order('created_at', { ascending: false });
      expect(usable.data?.map((row) => row.original_filename)).toEqual(['B.H5AD', 'a.h5ad']);

      const { id } = listed.data![0] as { id: string };
      expect(await others.from('user_files').delete().eq('id', id).select()).toMatchObject({ data: [] });
      expect(await mine.from('user_files').delete().eq('id', id)).toMatchObject({ status: 204, error: null });
      expect((await mine.from('user_files').select('id')).data).toHaveLength(2);

      const outside = await mine
        .from('user_files')
        .insert({ ...file('x.h5ad', 5), file_path: `${other.id}/x.h5ad` });
      expect(outside.error?.code).toBe('23514');
      const wrongKind = await mine.from('user_files').insert(file('x.exe', 6));
      expect(wrongKind.error?.code).toBe('23514');
      const renamed = await mine.from('user_files').update({ file_name: 'x' }).eq('user_id', owner.id);
      expect(renamed).toMatchObject({ status: 403, error: { code: '42501' } });
    });

    test('a file record requires a plan with uploads', async () => {
      for (const tier of [undefined, 'Standard'] as const) {
        const { id, token } = await world.person(tier);
        const client = make(world.server.url, world.server.keys.publishableKey, token);
        const record = {
          user_id: id,
          file_name: 'f',
          original_filename: 'f.h5ad',
          file_path: `${id}/1_f.h5ad`,
        };
        expect(await client.from('user_files').insert(record)).toMatchObject({
          status: 403,
          error: { code: '42501' },
        });
        expect(await client.from('user_files').select()).toMatchObject({ data: [], error: null });
      }
    });

    test('single, maybeSingle, and all filters of the client', async () => {
      const names = [
        'alpha',
        'be,ta',
        'ga"mma',
        'de(l)ta',
        '100%',
        'under_score',
        "o'hara",
        'back\\slash',
        'ünï',
      ];
      await mine
        .from('subset_metadata')
        .insert(names.map((subset_name, percentile) => ({ user_id: owner.id, subset_name, percentile })));
      const table = () => mine.from('subset_metadata').select('subset_name');
      const namesOf = async (
        query: PromiseLike<{ data: { subset_name: string }[] | null; error: unknown }>,
      ) => {
        const { data, error } = await query;
        if (error) throw error;
        return data!.map(({ subset_name }) => subset_name).sort();
      };
      for (const name of names) {
        expect(await namesOf(table().eq('subset_name', name))).toEqual([name]);
      }
      expect(await namesOf(table().in('subset_name', ['be,ta', 'de(l)ta', "o'hara"]))).toEqual([
        'be,ta',
        'de(l)ta',
        "o'hara",
      ]);
      expect(await namesOf(table().in('subset_name', ['ga"mma', '100%']))).toEqual(['100%', 'ga"mma']);
      expect(await namesOf(table().in('subset_name', []))).toEqual([]);
      expect(await namesOf(table().ilike('subset_name', 'AL%'))).toEqual(['alpha']);
      expect(await namesOf(table().like('subset_name', 'under\\_%'))).toEqual(['under_score']);
      expect(await namesOf(table().not('subset_name', 'in', '(alpha,"be,ta")').gte('percentile', 7))).toEqual(
        ['back\\slash', 'ünï'],
      );
      expect(await namesOf(table().or('percentile.lt.1,subset_name.eq.ünï'))).toEqual(['alpha', 'ünï']);
      expect(await namesOf(table().is('gene_symbol', null).gt('percentile', 7))).toEqual(['ünï']);
      expect(await namesOf(table().eq('gene_symbol', null as unknown as string))).toEqual([]);
      expect(await namesOf(table().match({ percentile: 0, subset_name: 'alpha' }))).toEqual(['alpha']);
      expect(await namesOf(table().order('percentile', { ascending: false }).range(1, 2))).toEqual([
        'back\\slash',
        "o'hara",
      ]);

      expect(await table().eq('subset_name', 'alpha').single()).toMatchObject({
        data: { subset_name: 'alpha' },
        error: null,
      });
      expect(await table().single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
      expect(await table().eq('subset_name', 'none').single()).toMatchObject({
        status: 406,
        error: { code: 'PGRST116', details: 'The result contains 0 rows' },
      });
      expect(await table().eq('subset_name', 'none').maybeSingle()).toMatchObject({
        data: null,
        error: null,
      });
      expect(await table().maybeSingle()).toMatchObject({ error: { code: 'PGRST116' } });
      expect((await table().eq('subset_name', 'be,ta').csv()).data).toBe('subset_name\n"be,ta"');
      expect(
        await mine
          .from('subset_metadata')
          .select('subset_name', { count: 'exact' })
          .order('percentile')
          .range(0, 1),
      ).toMatchObject({ status: 206, count: 9, data: [{ subset_name: 'alpha' }, { subset_name: 'be,ta' }] });

      const { data: row } = await mine
        .from('subset_metadata')
        .select('id')
        .eq('subset_name', 'alpha')
        .single();
      const merged = await mine
        .from('subset_metadata')
        .upsert({ id: row!.id, user_id: owner.id, subset_name: 'omega' })
        .select('subset_name')
        .single();
      expect(merged).toMatchObject({ status: 200, data: { subset_name: 'omega' } });
      const hijack = await others
        .from('subset_metadata')
        .upsert({ id: row!.id, user_id: other.id, subset_name: 'mine now' });
      expect(hijack.error?.code).toBe('42501');
      await mine.from('subset_metadata').delete().eq('user_id', owner.id);
    });

    test('a visitor can read nothing, and gets the error to sign in', async () => {
      for (const table of ['generated_images', 'subset_metadata', 'user_files', 'subscriptions'] as const) {
        expect(await visitor.from(table).select('*')).toMatchObject({
          status: 401,
          error: { code: '42501' },
        });
      }
    });

    test('errors name missing tables and columns, in the format of the client', async () => {
      expect(await mine.from('nowhere' as 'user_files').select()).toMatchObject({
        status: 404,
        error: { code: 'PGRST205', details: null, hint: null, message: expect.stringContaining('nowhere') },
      });
      expect((await mine.from('user_files').select('nothing')).error).toMatchObject({ code: '42703' });
      expect((await mine.from('user_files').insert([{ nothing: 1 }] as never[])).error).toMatchObject({
        code: 'PGRST204',
      });
      expect((await mine.rpc('nothing' as 'list_api_keys')).error).toMatchObject({ code: 'PGRST202' });
      const hidden = { token: owner.token, headers: { 'accept-profile': 'auth' } };
      expect(await world.raw('GET', '/users', hidden)).toMatchObject({
        status: 406,
        text: expect.stringContaining('PGRST106'),
      });
      expect((await mine.from('subset_metadata').select().eq('id', 'x')).error).toMatchObject({
        code: '22P02',
      });
    });
  });

  test.each(clientsOn(name, clientVersions))(
    'a session of supabase-js $version reads its own rows, and none after signing out',
    async (client) => {
      const mine = client.make(world.server.url, world.server.keys.publishableKey) as unknown as RestClient;
      const email = `rest.${client.version}@example.org`;
      const { data } = await mine.auth.signUp({ email, password: 'correct horse' });
      const user_id = data.user!.id;
      expect((await mine.from('subset_metadata').insert({ user_id, subset_name: 'S' })).error).toBeNull();
      expect((await mine.from('subset_metadata').select('subset_name')).data).toEqual([{ subset_name: 'S' }]);
      await mine.auth.signOut();
      expect((await mine.from('subset_metadata').select('subset_name')).error?.code).toBe('42501');
    },
  );

  test('foreign and ended tokens are refused, never treated as a visitor', async () => {
    const { token } = await world.person();
    for (const wrong of ['x', `${token.slice(0, -4)}AAAA`, world.server.keys.secretKey]) {
      const answer = await world.raw('GET', '/subset_metadata', { token: wrong });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'PGRST301', details: null, hint: null });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    world.server.clock.advance(3620);
    const justNow = await world.raw('GET', '/subset_metadata', { token });
    world.server.clock.advance(-3620);
    expect(justNow.status, 'clocks may differ by half a minute').toBe(200);
    world.server.clock.advance(3700);
    const late = await world.raw('GET', '/subset_metadata', { token });
    world.server.clock.advance(-3700);
    expect(late.status).toBe(401);
    expect(JSON.parse(late.text)).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const keyless = await world.raw('GET', '/subset_metadata', { token, key: 'sb_publishable_other' });
    expect(keyless.status).toBe(401);
    expect(Object.keys(JSON.parse(keyless.text) as object)).toEqual(['message', 'hint']);
  });
});
