import { network, NotAdmitted } from '@cellfolio/platform';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts calls by network (an IPv4 address, a /64 of IPv6), in this process. */
export class NetworkLimit {
  readonly #calls: RateLimiterMemory;
  readonly #message: string;

  /** `message`: what the caller is told; see NotAdmitted. */
  constructor(callsPerMinute: number, message: string) {
    this.#calls = new RateLimiterMemory({ points: callsPerMinute, duration: 60 });
    this.#message = message;
  }

  /** Throws NotAdmitted when the network of the address has made too many calls in a minute. */
  async count(address: string): Promise<void> {
    try {
      await this.#calls.consume(network(address));
    } catch (cause) {
      if (!(cause instanceof RateLimiterRes)) throw cause;
      throw new NotAdmitted('user', this.#message, Math.max(1, Math.ceil(cause.msBeforeNext / 1000)));
    }
  }
}
