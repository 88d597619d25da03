import { randomUUID } from 'node:crypto';
import { type Database, issuerOf, SigningKeys } from '@cellfolio/platform';
import { createClient as createCurrent, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { createClient as createLastForNode20 } from 'supabase-js-2-109';
import { type PlatformServer, startPlatform } from './platform-server.ts';

interface Table<Row, Required extends keyof Row> {
  Row: Row;
  Insert: Pick<Row, Required> & Partial<Row>;
  Update: Partial<Row>;
  Relationships: [];
}

type Schema = {
  public: {
    Tables: {
      contact_submissions: Table<
        { name: string; email: string; subject: string | null; message: string; created_at: string },
        'name' | 'email' | 'message'
      >;
      generated_images: Table<
        {
          id: string;
          image_id: string;
          user_id: string;
          title: string;
          subtitle: string | null;
          image_data: string;
          image_type: string;
          dataset_name: string | null;
          disease_name: string | null;
          subset_group_name: string | null;
          created_at: string;
          cell_count: number | null;
        },
        'user_id' | 'title' | 'image_data' | 'image_type'
      >;
      subset_metadata: Table<
        {
          id: string;
          user_id: string;
          subset_name: string;
          subset_type: string;
          gene_symbol: string | null;
          percentile: number | null;
          selected_cell_types: string[] | null;
          dataset_name: string | null;
          disease_name: string | null;
          filter_config: unknown;
          created_at: string;
          updated_at: string;
        },
        'user_id' | 'subset_name'
      >;
      user_files: Table<
        {
          id: string;
          user_id: string;
          file_name: string;
          original_filename: string;
          description: string | null;
          file_size: number | null;
          mime_type: string | null;
          file_path: string;
          created_at: string;
        },
        'user_id' | 'file_name' | 'original_filename' | 'file_path'
      >;
      subscriptions: Table<{ user_id: string; tier: string | null; until: string | null }, 'user_id'>;
    };
    Views: Record<never, never>;
    Functions: {
      create_api_key: {
        Args: { key_name: string; valid_days?: number | null; key_scopes?: readonly string[] | null };
        Returns: {
          id: string;
          name: string;
          prefix: string;
          scopes: string[];
          created_at: string;
          expires_at: string | null;
          key: string;
        }[];
      };
      list_api_keys: {
        Args: Record<never, never>;
        Returns: {
          id: string;
          name: string;
          prefix: string;
          scopes: string[];
          created_at: string;
          last_used_at: string | null;
          expires_at: string | null;
        }[];
      };
      revoke_api_key: { Args: { key_id: string }; Returns: boolean };
    };
  };
};

export type RestClient = SupabaseClient<Schema>;

export const tokenClients = [
  {
    version: '2.119.0',
    make: (url: string, key: string, token?: string): RestClient =>
      createCurrent<Schema>(url, key, { accessToken: async () => token ?? null }),
  },
  {
    version: '2.109.0',
    // The two releases declare the same calls; only their private fields make them different types.
    make: (url: string, key: string, token?: string): RestClient =>
      createLastForNode20<Schema>(url, key, {
        accessToken: async () => token ?? null,
      }) as unknown as RestClient,
  },
];

export interface RestPerson {
  id: string;
  token: string;
}

type Tier = 'Professional' | 'Standard';

export interface RestWorld {
  server: PlatformServer;
  person(tier?: Tier): Promise<RestPerson>;
  raw(
    method: string,
    path: string,
    options?: { token?: string | undefined; key?: string; body?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; text: string; headers: Headers }>;
  close(): Promise<void>;
}

export async function restWorld(database: Database): Promise<RestWorld> {
  const server = await startPlatform(database);
  const signing = await new SigningKeys(database).current();
  return {
    server,
    person: async (tier) => {
      const id = randomUUID();
      const email = `${id}@example.org`;
      await database.pool.query('insert into auth.users (id, email) values ($1, $2)', [id, email]);
      if (tier)
        await database.pool.query('insert into public.subscriptions (user_id, tier) values ($1, $2)', [
          id,
          tier,
        ]);
      const sessionId = randomUUID();
      await database.pool.query('insert into auth.sessions (id, user_id) values ($1, $2)', [sessionId, id]);
      const token = await new SignJWT({
        email,
        phone: '',
        app_metadata: {},
        user_metadata: {},
        role: 'authenticated',
        aal: 'aal1',
        amr: [],
        session_id: sessionId,
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: signing.kid })
        .setIssuer(issuerOf(server.url))
        .setSubject(id)
        .setAudience('authenticated')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(signing.key);
      return { id, token };
    },
    raw: async (method, path, { token, key = server.keys.publishableKey, body, headers } = {}) => {
      const answer = await fetch(`${server.url}/rest/v1${path}`, {
        method,
        headers: {
          apikey: key,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    close: () => server.close(),
  };
}
