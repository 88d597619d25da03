import { buffer } from 'node:stream/consumers';
import { type Header, pack } from 'tar-stream';

/** An archive of these members; for anything but a file only its header. */
export async function tarOf(
  members: readonly (readonly [
    header: string | (Partial<Header> & { name: string }),
    content?: Uint8Array | string,
  ])[],
): Promise<Buffer> {
  const archive = pack();
  for (const [header, content = ''] of members)
    archive.entry(typeof header === 'string' ? { name: header } : header, Buffer.from(content));
  archive.finalize();
  return buffer(archive);
}
