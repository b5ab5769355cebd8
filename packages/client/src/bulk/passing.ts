import type { Failure } from '../result.js'

const tryAgain = new Set([0, 408, 409, 429, 502, 503, 504])

/**
 * Whether the same request may do better a little later: no answer, one that was cut, a request that came too slowly for the
 * service, as from a busy machine, too many of them, a service that is not there right now, an account or a request that
 * somebody else works on.
 */
export const isPassing = ({ status, code }: Pick<Failure, 'status' | 'code'>): boolean =>
  code === 'account_import_in_progress' ||
  (tryAgain.has(status) && code !== 'aborted' && code !== 'redirected')
