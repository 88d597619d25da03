/** Milliseconds: many calls long, and short beside what users notice. */
const turnMs = 20;

/** Programs that run one after the other, each for as long as the others. */
export interface Turns {
  /** All run again, as they like. */
  end(): void;
}

/**
 * Lets each program run in its turns alone, stopped in between with all its threads. So each has a machine for itself
 * for a part of the time, whatever running side by side would cost them.
 *
 * @param pids As many as there are; fewer than `places` leave turns in which none runs.
 */
export function takeTurns(pids: readonly number[], places: number): Turns {
  let turn = 0;
  const signal = (place: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
    const pid = pids[place];
    if (pid !== undefined) process.kill(pid, name);
  };
  for (let place = 1; place < places; place++) signal(place, 'SIGSTOP');
  const timer = setInterval(() => {
    signal(turn, 'SIGSTOP');
    turn = (turn + 1) % places;
    signal(turn, 'SIGCONT');
  }, turnMs);
  return {
    end: () => {
      clearInterval(timer);
      for (let place = 0; place < places; place++) signal(place, 'SIGCONT');
    },
  };
}
