import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Archives } from '../../../runtime/archives/linked-datasets.ts';

/** Sends a file as a server does: whole, a requested range, or nothing when it has not changed. */
export function sendFile(
  { headers }: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  etag = `"${content.length}"`,
): void {
  if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
  const from = headers['if-range'] === etag ? Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0) : 0;
  response
    .writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': content.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    })
    .end(content.subarray(from));
}

export class TestArchive {
  readonly pages = new Map<string, Buffer | ((request: IncomingMessage, response: ServerResponse) => void)>();
  requests: string[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const { url = '' } = request;
      this.requests.push(url);
      const page = this.pages.get(url);
      if (page === undefined) response.writeHead(404).end();
      else if (typeof page === 'function') page(request, response);
      else sendFile(request, response, page);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => void this.#server.listen(0, '127.0.0.1', done));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get archives(): Archives {
    const { origin } = this;
    return { discover: `${origin}/curation/v1`, geo: `${origin}/geo/query/acc.cgi`, geoFiles: origin };
  }

  addSeries(accession: string, samples: Readonly<Record<string, ReadonlyMap<string, Buffer>>>): void {
    const lines = [
      `^SERIES = ${accession}`,
      '!Series_title = Two donors',
      '!Series_summary = What was done.',
    ];
    for (const [at, [sample, files]] of Object.entries(samples).entries()) {
      lines.push(`^SAMPLE = ${sample}`, `!Sample_title = Donor ${at + 1}`);
      lines.push(
        '!Sample_organism_ch1 = Homo sapiens',
        `!Sample_characteristics_ch1 = condition: c${at + 1}`,
      );
      for (const [nth, [name, content]] of [...files].entries()) {
        const path = `/geo/samples/${sample}/suppl/${name}`;
        lines.push(`!Sample_supplementary_file_${nth + 1} = ftp://ftp.ncbi.nlm.nih.gov${path}`);
        this.pages.set(path, content);
      }
    }
    const page = `/geo/query/acc.cgi?acc=${accession}&targ=all&form=text&view=brief`;
    this.pages.set(page, Buffer.from(lines.join('\n')));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
