import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type Attacker, attackersAddress } from './attacker.ts';
import { longNames } from './long-names.ts';

const analysts = 24;

const analyst: Attack = {
  name: 'analyst',
  title: `one analyst with ${analysts} concurrent heavy calls: markers, enrichment, scores, renderings at 300 dpi, previews`,
  async prepare(attacker) {
    await attacker.send('GET', `/api/dataset_analysis/${encodeURIComponent(attacker.data.dataset)}`);
  },
  run: (attacker, signal) =>
    attacker.inParallel(analysts, signal, (lane, round) => {
      const [path, body] = heavyCall(attacker, lane % 5, lane * 10_000 + round);
      return attacker.send('POST', `/api/${path}`, { body, signal });
    }),
};

/** A different call each time, to bypass caches. */
function heavyCall({ data }: Attacker, kind: number, nth: number): readonly [path: string, body: object] {
  const gene = (i: number): string => data.genes[i % data.genes.length]!;
  const some = (count: number): string[] => Array.from({ length: count }, (_, i) => gene(nth * 31 + i * 7));
  switch (kind) {
    case 0:
      // Each minimum number of cells is a different test.
      return [
        'perform-marker-analysis',
        { groupby: 'leiden', n_genes: 1000, tie_correct: nth % 2 === 0, min_cells: 2 + (nth % 9000) },
      ];
    case 1:
      return ['perform-pathway-analysis', { pathway_genes: some(2000) }];
    case 2:
      return ['plot-signature-enrichment', { genes: some(200), score_name: `s${nth}`, violin_plot: true }];
    case 3:
      return [
        'render-figure',
        {
          source: { dataset_filename: data.dataset, content: { kind: 'gene-violin', gene: gene(nth) } },
          format: 'png-300dpi',
        },
      ];
    default:
      return [
        'preview-filter',
        {
          subset_group_name: `p${nth}`,
          gene_filter: true,
          gene: { name: gene(nth), presence: 'percentile', min_percentile: nth % 90, max_percentile: 99 },
          signature_filter: true,
          signature: { genes: some(100), min_percentile: 10, max_percentile: 90 },
        },
      ];
  }
}

const messages = 780;

const growth: Attack = {
  name: 'growth',
  title: `arrays of ${messages} messages by a visitor, endless rows, images of 3 MiB and sessions`,
  async run(attacker, signal) {
    const { userId, email, publishableKey } = attacker.data;
    const message = { name: 'x', email: 'x@example.org', message: 'y'.repeat(20_000) };
    const contact = JSON.stringify(Array.from({ length: messages }, () => message));
    const image = `data:image/png;base64,${'A'.repeat(3 * 2 ** 20)}`;
    const json = { 'content-type': 'application/json' };
    const subset = {
      user_id: userId,
      subset_name: 'growth',
      gene_symbol: 'G,'.repeat(5000),
      filter_config: { note: 'x'.repeat(100_000) },
    };
    const kinds: ((round: number) => Promise<unknown>)[] = [
      // The limit is thirty per network in five minutes.
      (round) =>
        attacker.send('POST', '/rest/v1/contact_submissions', {
          as: 'visitor',
          body: contact,
          headers: json,
          from: `127.0.0.${66 + (round % 4)}`,
          signal,
        }),
      () =>
        attacker.send('POST', '/rest/v1/subset_metadata', {
          body: Array.from({ length: 20 }, () => subset),
          signal,
        }),
      () =>
        attacker.send('POST', '/rest/v1/generated_images', {
          body: {
            user_id: userId,
            image_id: randomUUID(),
            title: 'growth',
            image_type: 'gene',
            image_data: image,
          },
          signal,
        }),
      (round) =>
        attacker.send('POST', '/auth/v1/token?grant_type=password', {
          as: 'visitor',
          body: { email, password: 'correct horse battery' },
          headers: { apikey: publishableKey },
          from: `127.0.0.${70 + (round % 4)}`,
          signal,
        }),
    ];
    await attacker.inParallel(2 * kinds.length, signal, (lane, round) => kinds[lane % kinds.length]!(round));
  },
};

const [searches, searchedRows, searchedLetters] = [60, 20, 901];

/** Conditions on `gene_symbol` that may take PostgreSQL minutes. */
const slowConditions = [
  String.raw`match.^(a+)(a+)(a+)\1\2\3$`,
  'match.^(a|a)*(a|a)*(a|a)*b$',
  `match.(a|b)*a${'(a|b)'.repeat(16)}$`,
  `imatch.^(${'.*a'.repeat(24)})b$`,
  `like.${'*a'.repeat(400)}*b`,
  `ilike.${'*a_'.repeat(300)}*B*`,
];

const patterns: Attack = {
  name: 'patterns',
  title: `${searches} concurrent searches for slow patterns in ${searchedRows} own rows of ${searchedLetters} letters`,
  async prepare(attacker) {
    const row = {
      user_id: attacker.data.userId,
      subset_name: 'patterns',
      gene_symbol: 'a'.repeat(searchedLetters),
    };
    await attacker.send('POST', '/rest/v1/subset_metadata', {
      body: Array.from({ length: searchedRows }, () => row),
    });
  },
  run: (attacker, signal) =>
    attacker.inParallel(searches, signal, (lane, round) => {
      const condition = slowConditions[(lane + round) % slowConditions.length]!;
      const query = new URLSearchParams({ select: 'id', gene_symbol: condition }).toString();
      return attacker.send('GET', `/rest/v1/subset_metadata?${query}`, { signal });
    }),
};

const [readers, longRows, longLetters, aliases] = [30, 30, 99_000, 400];

const long = 'select=id,gene_symbol';
const manyTimes = `select=${Array.from({ length: aliases }, (_, i) => `c${i}:gene_symbol`).join()}`;
const deep = `select=deep:filter_config->${Array.from({ length: 200 }, () => 'a').join('->')}`;
const conditions = `or=(${Array.from({ length: 300 }, (_, i) => `gene_symbol.neq.x${i}`).join()})`;
const nested = `select=${'user_files('.repeat(40)}id${')'.repeat(40)}`;

const reads: Attack = {
  name: 'reads',
  title: `${readers} concurrent reads of ${longRows} rows with columns of ${longLetters} letters, one column ${aliases} times, deep paths`,
  async prepare(attacker) {
    for (let row = 0; row < longRows; row += 1) {
      await attacker.send('POST', '/rest/v1/subset_metadata', {
        body: {
          user_id: attacker.data.userId,
          subset_name: 'reads',
          // Cannot be compressed well.
          gene_symbol: Array.from({ length: longLetters / 11 }, (_, i) => `GENE${(i * 7919) % 1_000_003},`)
            .join('')
            .slice(0, longLetters),
          filter_config: nest(100),
        },
      });
    }
  },
  run: (attacker, signal) =>
    attacker.inParallel(readers, signal, (lane, round) => {
      const [table, query] =
        lane === 0
          ? (['subset_metadata', manyTimes] as const)
          : lane === 1
            ? (
                [
                  ['subset_metadata', deep],
                  ['subset_metadata', conditions],
                  ['user_files', nested],
                ] as const
              )[round % 3]!
            : (['subset_metadata', long] as const);
      return attacker.send('GET', `/rest/v1/${table}?${query}`, { signal });
    }),
};

function nest(depth: number): object {
  let inner: object = { a: 1 };
  for (let i = 1; i < depth; i += 1) inner = { a: inner };
  return inner;
}

const guesses = 40;

const signIns: Attack = {
  name: 'sign-ins',
  title: `${guesses} concurrent sign-ins with wrong passwords, sign-ups and codes from one address`,
  run: (attacker, signal) =>
    attacker.inParallel(guesses, signal, (lane, round) => {
      const stranger = `${randomUUID()}@example.org`;
      // Existing and unknown accounts.
      const email = round % 2 ? attacker.data.email : stranger;
      const [path, body] =
        lane % 4 === 0
          ? (['signup', { email: stranger, password: randomUUID() }] as const)
          : lane % 4 === 1
            ? (['otp', { email: stranger, create_user: false }] as const)
            : (['token?grant_type=password', { email, password: randomUUID() }] as const);
      return attacker.send('POST', `/auth/v1/${path}`, { as: 'visitor', body, signal });
    }),
};

const connections = 50;
const images = 10;
const imageBytes = 3 * 2 ** 20;
/** `content-length` of a body that is sent at one byte per second. */
const announced = 1_000_000;

const slowClients: Attack = {
  name: 'slow-clients',
  title: `${connections} connections that read large responses, or send bodies, at one byte per second`,
  async prepare(attacker) {
    const { userId } = attacker.data;
    const data = `data:image/png;base64,${'A'.repeat(imageBytes)}`;
    for (let i = 0; i < images; i += 1) {
      await attacker.send('POST', '/rest/v1/generated_images', {
        body: { user_id: userId, image_id: `slow-${i}`, title: 'slow', image_type: 'gene', image_data: data },
      });
    }
    await attacker.send('POST', `/storage/v1/object/user-files/${userId}/slow.tsv`, {
      body: Buffer.alloc(16 * 2 ** 20, 'x\t1\n'),
      headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
    });
    await attacker.send('GET', `/api/dataset_analysis/${encodeURIComponent(attacker.data.dataset)}`);
  },
  run: (attacker, signal) => {
    const calls = slowCalls(attacker);
    return attacker.inParallel(connections, signal, (lane) =>
      sendSlowly(attacker, calls[lane % calls.length]!(), signal),
    );
  },
  /** Without the bodies that never arrive, since they cause no work. */
  async control(attacker, signal) {
    const calls = slowCalls(attacker);
    const headers = { 'content-type': 'application/json' };
    await Promise.all(
      Array.from({ length: connections }, async (_, lane) => {
        const { method, path, body, announced: bytes } = calls[lane % calls.length]!();
        if (bytes !== undefined) return;
        await attacker.send(method, path, { headers, signal, ...(body !== undefined && { body }) });
      }),
    );
  },
};

let plottedGenes = 0;

function slowCalls({ data: { userId, genes } }: Attacker): readonly (() => Request)[] {
  // Different genes each time, to bypass caches.
  const plots = () =>
    JSON.stringify({
      genes: Array.from({ length: 50 }, () => genes[plottedGenes++ % genes.length]),
      violin_plot: true,
    });
  return [
    () => ({ method: 'GET', path: '/rest/v1/generated_images?select=image_data' }),
    () => ({ method: 'GET', path: `/storage/v1/object/user-files/${userId}/slow.tsv` }),
    () => ({ method: 'POST', path: '/api/plot-umap-with-genes', body: plots() }),
    () => ({ method: 'POST', path: '/api/export-cells', body: '{"metadata":true}' }),
    () => ({ method: 'POST', path: '/api/export-dataset', body: '{}' }),
    () => ({ method: 'POST', path: '/rest/v1/subset_metadata', announced }),
    () => ({ method: 'POST', path: `/storage/v1/object/user-files/${userId}/late.tsv`, announced }),
  ];
}

interface Request {
  method: string;
  path: string;
  body?: string;
  announced?: number;
}

function textOf(attacker: Attacker, { method, path, body, announced: bytes }: Request): string {
  const length = bytes ?? (body === undefined ? undefined : Buffer.byteLength(body));
  const headers = {
    host: new URL(attacker.data.address).host,
    ...attacker.headers(),
    ...(length !== undefined && { 'content-type': 'application/json', 'content-length': String(length) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

async function sendSlowly(attacker: Attacker, request: Request, signal: AbortSignal): Promise<void> {
  const socket = connect({
    port: Number(new URL(attacker.data.address).port),
    host: '127.0.0.1',
    localAddress: attackersAddress,
  });
  let status = 0;
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(textOf(attacker, request));
  try {
    while (!signal.aborted && !socket.destroyed && !socket.readableEnded) {
      await sleep(1000, undefined, { signal }).catch(() => undefined);
      if (request.announced !== undefined && socket.writable) socket.write(' ');
      // First everything that has arrived, for the status.
      const read = socket.read(status === 0 ? undefined : 1) as Buffer | null;
      if (status === 0 && read)
        status = Number(/^HTTP\/1\.1 (\d{3})/.exec(read.toString('latin1'))?.[1] ?? 0);
    }
  } finally {
    attacker.count(status);
    socket.destroy();
  }
}

export const attacks: readonly Attack[] = [patterns, reads, growth, analyst, longNames, slowClients, signIns];

/** Throws RangeError. */
export function attackNamed(name: string): Attack {
  const attack = attacks.find((one) => one.name === name);
  if (!attack)
    throw new RangeError(`there is no attack ${name}; they are ${attacks.map((one) => one.name).join(', ')}`);
  return attack;
}
