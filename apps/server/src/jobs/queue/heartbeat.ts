/** Seconds of silence after which a process that took a job counts as dead; the queue takes no fewer. */
export const leastHeartbeatSeconds = 10;
/** On a machine that is busy, a living process may be silent for half of it. */
export const usualHeartbeatSeconds = 20;
