import { Info } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { UserFile } from '@/features/user-files/user-file.ts';
import { conversionAvailable, isConvertible } from './conversion.ts';

/** Says which files make an AnnData file together; the button comes when exactly those are selected. */
export function ConvertBox({ selected }: { selected: readonly UserFile[] }) {
  return (
    <Alert variant="neutral" className="flex-wrap items-center">
      <Info aria-hidden className="text-muted" />
      <p className="min-w-52 flex-1">
        Select 1 matrix file and 2 metadata files (barcodes and features) to convert to H5AD.
        {/* Said to everybody when it appears. */}
        <span role="status" className="block">
          {isConvertible(selected) && !conversionAvailable && 'Conversion is not available yet.'}
        </span>
      </p>
      {isConvertible(selected) && (
        <Button size="sm" disabled={!conversionAvailable}>
          Convert to H5AD
        </Button>
      )}
    </Alert>
  );
}
