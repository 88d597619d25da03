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
  /** Whether the user may start jobs, and the settings are valid. */
  mayAsk: boolean;
  /** A line is being dragged. */
  waits: boolean;
  /** The file is being inspected. */
  inspecting: boolean;
}

/** Pauses of somebody who is still choosing are shorter, in milliseconds. */
const settledAfter = 600;
/**
 * A plan of a matrix with 43 million entries took the server 7 s of processor time, one with 0.6 million 2 s; most of
 * what people combine has fewer.
 */
const maxEntries = 5e7;

/**
 * Exact numbers for the settings as they are: asked for by itself once they have settled, where that costs the server
 * little. The server ends an inspection of other settings that is under way. `update` asks for them where they are not.
 */
export function useQualityPlan(order: QualityPlanOrder): {
  pending: boolean;
  /** Absent where numbers come by themselves, or cannot be had. */
  update: (() => void) | undefined;
} {
  const { userId, fileId, plan, form, mayAsk, waits, inspecting } = order;
  const { mutate, isPending } = useStartPlan(userId);
  const [asked, setAsked] = useState<string>();
  const choice = qualityChoice(form);
  const key = JSON.stringify(choice);
  const stale = plan === undefined || !isPlanOf(plan, choice);
  const byItself = plan !== undefined && isCheap(plan);
  const due = mayAsk && stale && byItself && !waits && !isPending && asked !== key ? key : undefined;
  const ask = (what: string) => {
    setAsked(what);
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
  const isLost = stale && asked === key && !isPending && !inspecting;
  return { pending: isPending, update: mayAsk && (!byItself || isLost) ? () => ask(key) : undefined };
}

/** By the entries that the cells have at their median, and whether barcodes are tested one by one. */
function isCheap({ groups, droplets }: QualityPlan): boolean {
  const entries = groups.reduce((sum, { cells, spreads }) => sum + cells * Math.exp(spreads.genes.median), 0);
  return entries <= maxEntries && droplets?.keep !== 'called';
}
