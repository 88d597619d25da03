import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import type { UnknownName } from './resolve-selection.ts';

interface UnknownSelectionProps {
  unknown: UnknownName;
  /** Name of the dataset that is shown in its place. */
  instead: string | undefined;
}

/** The address names what the catalogue does not have: what is shown instead, and the way out. */
export function UnknownSelection({ unknown, instead }: UnknownSelectionProps) {
  return (
    <Alert variant="warning" role="alert" className="mb-4">
      <p className="min-w-0 wrap-anywhere">
        The catalogue has no {unknown.what} “{unknown.name}”.{' '}
        {instead !== undefined && <>“{instead}” is shown instead. </>}
        <Link to="/dataset-selector" className="rounded font-medium underline underline-offset-4">
          Browse all datasets
        </Link>
      </p>
    </Alert>
  );
}
