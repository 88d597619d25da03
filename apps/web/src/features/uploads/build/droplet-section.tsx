import { dropletDefaults, type DropletChoice, type DropletPlan } from '@cellfolio/contract';
import { Field, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { formatCount } from '@/lib/format.ts';

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

const width = 480;
const height = 230;
const left = 52;
const bottom = height - 34;
const right = width - 22;
const top = 10;

const strokes = [
  { min: 0.95, name: 'cells', className: 'stroke-accent' },
  { min: 0.05, name: 'both', className: 'stroke-accent opacity-50' },
  { min: -1, name: 'left out', className: 'stroke-muted' },
] as const;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

function BarcodeRankPlot({ droplets }: { droplets: DropletPlan }) {
  const { curve, knee, inflection, cells, barcodes } = droplets;
  const decades = (value: number) => Math.max(1, Math.ceil(Math.log10(Math.max(10, value))));
  const ranks = decades(curve.at(-1)?.rank ?? 1);
  const counts = decades(curve[0]?.counts ?? 1);
  const x = (rank: number) => left + (Math.log10(rank) / ranks) * (right - left);
  const y = (total: number) => bottom - (Math.log10(total) / counts) * (bottom - top);
  const strokeOf = (share: number) => strokes.findIndex(({ min }) => share > min);
  const paths = strokes.map(() => '');
  curve.slice(1).forEach((point, at) => {
    const before = curve[at]!;
    paths[strokeOf(point.cells)] +=
      `M${x(before.rank).toFixed(1)} ${y(before.counts).toFixed(1)}L${x(point.rank).toFixed(1)} ${y(point.counts).toFixed(1)}`;
  });
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={`Barcode-rank plot: ${formatCount(cells)} of ${formatCount(barcodes)} barcodes are kept as cells${knee === undefined ? '' : `; knee at ${formatCount(knee)} counts`}`}
        viewBox={`0 0 ${width} ${height}`}
        className="text-muted w-full max-w-xl text-[11px] tabular-nums"
      >
        <path d={`M${left} ${top}V${bottom}H${right}`} className="stroke-input fill-none" />
        {ticks(ranks).map((rank) => (
          <text key={rank} x={x(rank)} y={bottom + 14} textAnchor="middle" className="fill-current">
            {compact.format(rank)}
          </text>
        ))}
        {ticks(counts).map((total) => (
          <text key={total} x={left - 6} y={y(total) + 4} textAnchor="end" className="fill-current">
            {compact.format(total)}
          </text>
        ))}
        <text x={(left + right) / 2} y={height - 4} textAnchor="middle" className="fill-current">
          Barcodes, by rank
        </text>
        <text
          transform={`translate(11 ${(top + bottom) / 2}) rotate(-90)`}
          textAnchor="middle"
          className="fill-current"
        >
          Total counts
        </text>
        {[
          // One label above its line and one below, for the two may lie close together.
          ['Knee', knee, -4],
          ['Inflection', inflection, 12],
        ].map(([name, total, beside]) =>
          typeof total === 'number' && typeof beside === 'number' ? (
            <g key={name}>
              <line
                x1={left}
                x2={right}
                y1={y(total)}
                y2={y(total)}
                className="stroke-danger"
                strokeDasharray="4 3"
              />
              <text x={right} y={y(total) + beside} textAnchor="end" className="fill-current">
                {name} {formatCount(total)}
              </text>
            </g>
          ) : null,
        )}
        {strokes.map(({ name, className }, at) => (
          <path
            key={name}
            d={paths[at]}
            className={`${className} fill-none`}
            strokeWidth={3}
            strokeLinecap="round"
          />
        ))}
      </svg>
      <figcaption className="text-muted flex flex-wrap gap-x-4 text-xs">
        <Key className="bg-accent">Kept as cells</Key>
        <Key className="bg-accent opacity-50">Some of them kept</Key>
        <Key className="bg-muted">Left out</Key>
      </figcaption>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`h-1 w-4 rounded-full ${className}`} />
      {children}
    </span>
  );
}

function ticks(decades: number): number[] {
  return Array.from({ length: decades + 1 }, (_, power) => 10 ** power);
}
