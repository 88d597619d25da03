/** Milliseconds: many calls long, and short beside what users notice. */
const turnMs = 20;

/** Programs that run one after the other, each for as long as the others. */
export interface Turns {
  /** All run again, as they like. */
  end(): void;
}

const sendSignal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): void => void process.kill(pid, name);

/**
 * Lets each program run in its turns alone, stopped in between with all its threads. So each has a machine for itself
 * for a part of the time, whatever running side by side would cost them. Who had a longer turn, because the end of it
 * came late, has the next one later: all have had the same time after each round, however busy they keep the one who
 * tells the time.
 *
 * @param pids As many as there are; fewer than `places` leave turns in which none runs.
 */
export function takeTurns(pids: readonly number[], places: number, send = sendSignal): Turns {
  const had = Array.from({ length: places }, () => 0);
  const signal = (place: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
    const pid = pids[place];
    if (pid !== undefined) send(pid, name);
  };
  let timer: NodeJS.Timeout | undefined;
  /** Milliseconds that each has had when the round is over. */
  let goal = turnMs;
  const begin = (place: number): void => {
    signal(place, 'SIGCONT');
    const began = performance.now();
    timer = setTimeout(() => {
      signal(place, 'SIGSTOP');
      had[place]! += performance.now() - began;
      const next = (place + 1) % places;
      if (next === 0) goal = Math.max(...had) + turnMs;
      begin(next);
    }, goal - had[place]!);
  };
  for (let place = 1; place < places; place++) signal(place, 'SIGSTOP');
  begin(0);
  return {
    end: () => {
      clearTimeout(timer);
      for (let place = 0; place < places; place++) signal(place, 'SIGCONT');
    },
  };
}
