import type { QualityPlan } from '@cellfolio/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStartPlan } from '../jobs/job-calls.ts';
import { buildRequest, qualityChoice } from './build-form.ts';
import type { BuildForm } from './build-form.ts';
import { isPlanOf } from './live-thresholds.ts';

interface QualityPlanOrder {
  userId: string;
  fileId: string;
  plan: QualityPlan | undefined;
  form: BuildForm;
  mayAsk: boolean;
  waits: boolean;
  inspecting: boolean;
}

/** Milliseconds without a change after which settings count as settled. */
const settledAfter = 600;
/**
 * Maximum entries for an automatic plan: a matrix with 43 million entries took 7 s of server processor time, one with
 * 0.6 million 2 s; most combined files have fewer.
 */
const maxEntries = 5e7;

/**
 * Requests exact numbers for the current settings automatically once they have settled, if that is cheap for the
 * server; the server ends an inspection of other settings in progress. Otherwise `update` requests them.
 */
export function useQualityPlan(order: QualityPlanOrder): {
  pending: boolean;
  /** Absent if updates are automatic, or unavailable. */
  update: (() => void) | undefined;
} {
  const { userId, fileId, plan, form, mayAsk, waits, inspecting } = order;
  const { mutate, isPending } = useStartPlan(userId);
  const [requestedKey, setRequestedKey] = useState<string>();
  const choice = qualityChoice(form);
  const key = JSON.stringify(choice);
  const stale = plan === undefined || !isPlanOf(plan, choice);
  const byItself = plan !== undefined && isCheap(plan);
  const due = mayAsk && stale && byItself && !waits && !isPending && requestedKey !== key ? key : undefined;
  const ask = (what: string) => {
    setRequestedKey(what);
    mutate({ fileId, choices: buildRequest(form) });
  };
  const askSettled = useEffectEvent(ask);
  useEffect(() => {
    if (due === undefined) return;
    // Each other choice begins the wait anew.
    const timer = setTimeout(() => askSettled(due), settledAfter);
    return () => clearTimeout(timer);
  }, [due]);
  // What was asked for and did not come is asked for by hand.
  const isLost = stale && requestedKey === key && !isPending && !inspecting;
  return { pending: isPending, update: mayAsk && (!byItself || isLost) ? () => ask(key) : undefined };
}

/** Estimates the cost from the cells' median number of entries, and from whether barcodes are tested individually. */
function isCheap({ groups, droplets }: QualityPlan): boolean {
  const entries = groups.reduce((sum, { cells, spreads }) => sum + cells * Math.exp(spreads.genes.median), 0);
  return entries <= maxEntries && droplets?.keep !== 'called';
}
