import { dropletDefaults } from '@cellfolio/contract';
import type { DropletChoice, DropletPlan } from '@cellfolio/contract';
import { Field, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { formatCount } from '@/lib/format.ts';
import { BarcodeRankPlot } from './barcode-rank-plot.tsx';

interface DropletSectionProps {
  droplets: DropletPlan;
  choice: DropletChoice | undefined;
  onChange: (choice: DropletChoice | undefined) => void;
  fresh: boolean;
}

const automatic = 'automatic';
const automaticTexts = {
  called: 'called cells',
  minimum: 'a minimum of counts',
  all: 'all barcodes',
} as const;
const rates = [0.0001, dropletDefaults.falseDiscoveryRate, 0.01, 0.05];
const maxCounts = 1e9;

export function DropletSection({ droplets, choice, onChange, fresh }: DropletSectionProps) {
  const keep = choice?.keep;
  // What automatic comes to is known where the plan was made so: without a test there is a minimum of counts.
  const automatically = fresh && keep === undefined ? droplets.keep : droplets.detected ? 'called' : 'all';
  const effective = keep ?? automatically;
  return (
    <section aria-labelledby="build-droplets" className="flex flex-col gap-3">
      <h3 id="build-droplets" className="text-sm font-semibold">
        Empty droplets
      </h3>
      <p className="text-muted text-[13px]">{foundText(droplets)}</p>
      <BarcodeRankPlot droplets={droplets} />
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="Keep" hint="Clusters of empty droplets look like cell types.">
          {(control) => (
            <Select
              value={keep ?? automatic}
              onValueChange={(chosen) =>
                onChange(chosen === automatic ? undefined : { keep: chosen as DropletPlan['keep'] })
              }
            >
              <SelectTrigger {...control} data-size="sm">
                <SelectValue />
              </SelectTrigger>
              <SelectContent>
                <SelectItem value={automatic}>Automatic: {automaticTexts[automatically]}</SelectItem>
                <SelectItem value="called">Called cells (EmptyDrops)</SelectItem>
                <SelectItem value="minimum">Barcodes with a minimum of counts</SelectItem>
                <SelectItem value="all">All barcodes</SelectItem>
              </SelectContent>
            </Select>
          )}
        </Field>
        {effective === 'called' && <RateField choice={choice} onChange={onChange} />}
        {effective === 'minimum' && (
          <MinimumField choice={choice} inflection={droplets.inflection} onChange={onChange} />
        )}
      </div>
      <p role="status" className="text-[13px] tabular-nums">
        {fresh ? keptText(droplets) : 'This curve belongs to the previous settings: update the numbers.'}
      </p>
    </section>
  );
}

type ChoiceFieldProps = Pick<DropletSectionProps, 'choice' | 'onChange'>;

function RateField({ choice, onChange }: ChoiceFieldProps) {
  const rate = choice?.falseDiscoveryRate ?? dropletDefaults.falseDiscoveryRate;
  return (
    <Field label="False discovery rate" hint="Expected share of false calls.">
      {(control) => (
        <Select
          value={String(rate)}
          onValueChange={(chosen) => onChange({ keep: 'called', falseDiscoveryRate: Number(chosen) })}
        >
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {[...new Set([...rates, rate])].map((one) => (
              <SelectItem key={one} value={String(one)}>
                {one}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

function MinimumField({
  choice,
  inflection,
  onChange,
}: ChoiceFieldProps & { inflection: number | undefined }) {
  const typed = choice?.minimumCounts;
  return (
    <Field label="Minimum counts" hint="Empty: the inflection of the curve.">
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={1}
          max={maxCounts}
          step={1}
          placeholder={inflection === undefined ? '' : String(inflection)}
          autoComplete="off"
          className="h-8 px-2.5 text-[13px] tabular-nums"
          value={typed ?? ''}
          onChange={({ target }) => {
            const counts = Math.floor(Number(target.value));
            const sound = counts >= 1 && counts <= maxCounts;
            onChange({ keep: 'minimum', ...(sound && { minimumCounts: counts }) });
          }}
        />
      )}
    </Field>
  );
}

function foundText({ detected, empty, barcodes, emptyUpTo }: DropletPlan): string {
  const few = `${formatCount(empty)} of ${formatCount(barcodes)} barcodes have at most ${formatCount(emptyUpTo)} counts`;
  return detected
    ? `This is a raw matrix: ${few}, typical of empty droplets.`
    : `Most barcodes hold cells: ${few}.`;
}

function keptText({ keep, cells, knee, falseDiscoveryRate, minimumCounts }: DropletPlan): string {
  if (keep === 'all') return `All ${formatCount(cells)} barcodes are kept, including empty droplets.`;
  if (keep === 'minimum')
    return `${formatCount(cells)} barcodes with at least ${formatCount(minimumCounts ?? 0)} counts are kept as cells.`;
  const without = knee === undefined ? '' : `, those with ${formatCount(knee)} counts or more without a test`;
  return `${formatCount(cells)} barcodes are called cells at a false discovery rate of ${falseDiscoveryRate}${without}.`;
}
