import type { CellTypeParameters, TypeEvidence } from '@cellfolio/contract';
import { minPValue } from '@cellfolio/contract';
import { Eye } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { plural } from '@/lib/format.ts';

export function scoreText(score: number): string {
  return score.toFixed(1).replace('-', '−');
}

export function pText(p: number): string {
  if (p < minPValue) return `< ${minPValue.toExponential(1).replace('-', '−')}`;
  return p < 0.001 ? p.toExponential(1).replace('-', '−') : p.toFixed(3);
}

interface MarkerEvidenceProps {
  title: string;
  evidence: TypeEvidence;
  parameters: CellTypeParameters;
  onGenes: (genes: readonly string[]) => void;
}

export function MarkerEvidence({ title, evidence, parameters, onGenes }: MarkerEvidenceProps) {
  const {
    type,
    reference,
    reference_checked: checked,
    markers,
    missing,
    ora_score: ora,
    ora_adjusted_p: oraP,
  } = evidence;
  const isExpressed = ({ share, above }: TypeEvidence['markers'][number]) =>
    share >= parameters.min_share && above > 0;
  const expressed = markers.filter(isExpressed).map(({ gene }) => gene);
  return (
    <section aria-label={`${title}: ${type}`} className="flex max-w-md flex-col gap-1">
      <p className="text-xs">
        <span className="text-muted">{title}:</span> <span className="font-medium">{type}</span>{' '}
        <span className="text-muted">
          (ora {scoreText(ora)}, adjusted p {pText(oraP)})
        </span>
      </p>
      <table className="text-xs tabular-nums">
        <thead className="text-muted text-left">
          <tr>
            <th className="pr-4 font-normal">Marker</th>
            <th className="pr-4 text-right font-normal">Expressing</th>
            <th className="pr-4 text-right font-normal">Mean</th>
            <th className="pr-4 text-right font-normal">Above others</th>
            <th className="text-right font-normal">Other groups</th>
          </tr>
        </thead>
        <tbody>
          {markers.map((marker) => (
            <tr key={marker.gene} className={isExpressed(marker) ? '' : 'text-muted'}>
              <td className="pr-4">{marker.gene}</td>
              <td className="pr-4 text-right">{Math.round(100 * marker.share)}%</td>
              <td className="pr-4 text-right">{marker.mean.toFixed(2)}</td>
              <td className="pr-4 text-right">{marker.above.toFixed(2).replace('-', '−')}</td>
              <td className="text-right">{marker.other_groups}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {missing.length > 0 && (
        <p className="text-muted text-xs wrap-anywhere">Not in the dataset: {missing.join(', ')}.</p>
      )}
      {reference !== '' && (
        <p className="text-muted text-xs">
          Reference: {reference}
          {checked === false && ' (unverified)'}.
        </p>
      )}
      {expressed.length > 0 && (
        <Button variant="secondary" size="xs" className="self-start" onClick={() => onGenes(expressed)}>
          <Eye aria-hidden />
          {`Visualize ${plural(expressed.length, 'expressed marker')}`}
        </Button>
      )}
    </section>
  );
}
