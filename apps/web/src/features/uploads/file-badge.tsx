import { Badge } from '@/components/ui/badge.tsx';
import type { FileKind } from './files/file-kind.ts';
import { fileKind } from './files/file-kind.ts';

const variants = {
  matrix: 'blue',
  metadata: 'success',
  h5ad: 'purple',
  unknown: 'neutral',
} as const satisfies Record<FileKind, string>;

/** What a file is for, by its name. */
export function FileBadge({ name }: { name: string }) {
  const kind = fileKind(name);
  return <Badge variant={variants[kind]}>{kind}</Badge>;
}
