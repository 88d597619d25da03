import type { Attack } from './attack.ts';
import type { AttackReport } from './measure-attack.ts';
import { isGivenBack, spreadOf, verdictOn, watchedKinds } from './statistics.ts';

const count = (answers: ReadonlyMap<number, number>): string =>
  [...answers]
    .sort(([a], [b]) => a - b)
    .map(([status, calls]) => `${status === 0 ? 'broken' : status}: ${calls}`)
    .join(', ') || 'none';

/** What was measured of an attack, as text: the others' times, everybody's answers, the memory and the verdict. */
export function attackText(
  { name, title }: Pick<Attack, 'name' | 'title'>,
  database: string,
  { samples, answers, recoveries, memory, curve }: AttackReport,
): string {
  const times = watchedKinds.map((kind) => {
    const [before, during, after] = (['before', 'during', 'after'] as const).map((phase) =>
      spreadOf(samples, kind, phase),
    );
    const cell = ({ half, most }: { half: number; most: number }) => `${half.toFixed(0)}/${most.toFixed(0)}`;
    return `  ${kind.padEnd(10)} p50/p95 ms  before ${cell(before!)}  during ${cell(during!)}  after ${cell(after!)}  × ${(during!.half / before!.half).toFixed(1)}/${(during!.most / before!.most).toFixed(1)}`;
  });
  const others = new Map<number, number>();
  for (const { status } of samples) others.set(status, (others.get(status) ?? 0) + 1);
  const { outcome, reasons } = verdictOn(samples);
  const every = Math.max(1, Math.ceil(curve.length / 24));
  return [
    `${name} (${database}): ${title}`,
    ...times,
    `  answers    others ${count(others)}; attacker ${count(answers)}`,
    `  recovery   ${recoveries.map((one) => `${one.toFixed(1)} s`).join(', ')} until plots took at most twice their usual time`,
    `  memory     before ${memory.before.toFixed(0)}, peak ${memory.peak.toFixed(0)}, after the quiet ${memory.after.toFixed(0)} MiB: ${isGivenBack(memory) ? 'given back' : 'NOT GIVEN BACK'}`,
    `             every ${every} s: ${curve
      .filter((_, i) => i % every === 0)
      .map((one) => one.toFixed(0))
      .join(' ')}`,
    `  verdict    ${[outcome.toUpperCase(), reasons.join('; ')].filter(Boolean).join(': ')}`,
  ].join('\n');
}
