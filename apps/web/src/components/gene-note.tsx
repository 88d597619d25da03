import type { GeneNote } from '@cellfolio/analyses';

export function GeneNoteLine({ note }: { note: GeneNote | undefined }) {
  if (note === undefined) return null;
  return <p className={note.isRefused ? 'text-warning text-xs' : 'text-muted text-xs'}>{note.text}</p>;
}
