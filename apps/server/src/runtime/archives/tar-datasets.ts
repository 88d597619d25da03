import { basename } from 'node:path';
import { withoutExtension } from '@cellfolio/contract';
import { lastPartOf } from '../remote/download.ts';
import { shownAddress } from '../remote/open-answer.ts';
import { InMemory, receive, ReceiveFailed, type ReceiveOptions } from '../remote/receive.ts';
import { groupFiles } from './group-files.ts';
import { type LinkedDatasets, LinkFailed, type MemberPart, type RemoteFile } from './linked-datasets.ts';
import { tarMembers, type TarArchive, type TarMembers } from './tar-members.ts';

export interface TarContext extends Pick<ReceiveOptions, 'signal' | 'pauses' | 'mayBePrivate'> {
  timeoutMilliseconds?: number;
  maxPackedBytes?: number;
}

/** Whether the name is that of an uncompressed archive, whose members can be read in any order. */
export function isTar(name: string): boolean {
  return /\.tar$/i.test(name);
}

type Place = Pick<RemoteFile, 'address'> & Pick<MemberPart, 'validator' | 'packed'>;

export async function datasetsInTar(archive: TarArchive, place: Place): Promise<LinkedDatasets> {
  return datasetsOfMembers(await tarMembers(archive), { ...place, shown: archive.shown });
}

export function datasetsOfMembers(
  { members, refused }: TarMembers,
  { shown, address, ...place }: Place & { shown: string },
): LinkedDatasets {
  const { groups, unreadable } = groupFiles(
    members.map(({ name, offset, bytes }) => ({
      address,
      name,
      bytes,
      part: { offset, length: bytes, ...place },
    })),
  );
  return {
    title: basename(shown),
    datasets: groups.map(({ name, files }) => ({
      name,
      files: files.map((file) => ({ ...file, name: basename(file.name) })),
      entry: {
        name: withoutExtension(basename(name)),
        description: `${name} of ${shown}`,
      },
      values: new Map(),
    })),
    unreadable: [...unreadable, ...refused],
  };
}

/**
 * Datasets of a remote archive. Only the headers of its members are requested, one after the other, so little of a
 * large archive is fetched. Throws LinkFailed, the reason of the signal.
 */
export async function remoteTar(
  url: URL,
  { timeoutMilliseconds = 30_000, ...context }: TarContext,
): Promise<LinkedDatasets> {
  const readPart = async (offset: number, length: number, validator?: string) => {
    const received = new InMemory();
    const part = { offset, length, validator };
    const options = { ...context, timeoutMilliseconds, noun: 'archive', maxBytes: length, part };
    await receive(url, received, options).catch((error: unknown) => {
      throw error instanceof ReceiveFailed ? refusal(url, error) : error;
    });
    return received;
  };
  const { whole: bytes = 0, validator } = await readPart(0, 1);
  return datasetsInTar(
    {
      shown: lastPartOf(url),
      bytes,
      read: async (offset, length) => Buffer.concat((await readPart(offset, length, validator)).pieces),
    },
    { address: url.href, ...(validator !== undefined && { validator }) },
  );
}

export function refusal(url: URL, { message, attempts, cause }: ReceiveFailed): LinkFailed {
  const shown = shownAddress(url.href);
  if (/answered (?:403|404|410)/.test(message)) return new LinkFailed('not-found', `${shown}: ${message}.`);
  const at = attempts > 1 ? `, at attempt ${attempts}` : '';
  const advice = cause.final ? ' Download the archive, and add it as a file or unpack it.' : '';
  return new LinkFailed('unreadable', `${shown}: ${message}${at}.${advice}`, { cause });
}
