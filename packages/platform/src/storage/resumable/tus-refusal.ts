import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { asStorageError } from '../storage-answers.ts';

/** An answer as this protocol has it: a true status and a plain text. */
export interface TusRefusal {
  readonly status_code: number;
  readonly body: string;
}

/** What went wrong in the words of the protocol; what is not the caller's fault is logged and not told. */
export function tusRefusal(error: unknown, log: FastifyRequest['log']): TusRefusal {
  if (isRefusal(error)) {
    // The protocol's server answers 501 to extensions that it does not have; that is the caller's request.
    return { status_code: error.status_code === 501 ? 400 : error.status_code, body: error.body };
  }
  if (error instanceof GatewayError) return { status_code: error.status, body: `${error.message}\n` };
  const { status, message } = asStorageError(error, { log });
  return { status_code: status, body: `${message}\n` };
}

function isRefusal(error: unknown): error is TusRefusal {
  const { status_code, body } = (error ?? {}) as Partial<TusRefusal>;
  return typeof status_code === 'number' && typeof body === 'string' && status_code !== 500;
}

/** For an upload that is not there and for one of somebody else alike. */
export class NoSuchUpload extends Error implements TusRefusal {
  override readonly name = 'NoSuchUpload';
  readonly status_code = 404;
  readonly body = 'There is no upload at this address; begin it again.\n';
}
