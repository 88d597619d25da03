import { Copy } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { HeldTable } from '@/features/tables/index.ts';
import { copyText } from '@/lib/copy-text.ts';
import { formatCount, plural } from '@/lib/format.ts';

/** A clipboard is unsuitable for millions of rows. */
const maxRows = 20_000;

export function CopyRows({ table, rows }: { table: HeldTable; rows: Int32Array }) {
  const copied = rows.slice(0, maxRows);
  const copy = async () => {
    try {
      await copyText(table.file('tsv', copied, []).then((file) => file.text()));
      toast.success('Rows Copied', {
        description:
          copied.length < rows.length
            ? `The first ${formatCount(copied.length)} of ${plural(rows.length, 'row')}. Download the table for all.`
            : plural(copied.length, 'row'),
      });
    } catch (error) {
      console.warn('Rows were not copied.', error);
      toast.error('Copy failed', { description: 'The browser did not copy. Download the table instead.' });
    }
  };
  return (
    <Button variant="secondary" size="sm" disabled={copied.length === 0} onClick={() => void copy()}>
      <Copy aria-hidden />
      Copy Rows
    </Button>
  );
}
