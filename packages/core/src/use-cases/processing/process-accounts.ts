import type { InRun } from '../../domain/import-run.js'
import { E } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { noOutcome } from '../../ports/port-failure.js'
import type { Submission } from '../check-payload.js'
import type { ProcessingRefused, UseCaseResult } from '../errors.js'
import { forRights } from '../lists.js'
import { acceptRequests, type ProcessAnswer, type Processed } from './accept-requests.js'
import { claimAccounts, needsClaim, releaseClaims } from './claim-accounts.js'
import { createAccounts } from './create-accounts.js'

/**
 * Creates accounts, which must be distinct, from their staged data (docs/reference/api.md#states): accept, claim where creation
 * takes time, create, release what was not created. One answer for each, in their order.
 */
export const processAccounts = (ports: Ports) => {
  const accept = acceptRequests(ports)
  const claim = claimAccounts(ports)
  const create = createAccounts(ports)
  const release = releaseClaims(ports)
  return async (requests: readonly (Submission & InRun)[]): Promise<readonly ProcessAnswer[]> => {
    const accepted = await accept(requests)
    const ready = needsClaim(ports) ? await forRights(accepted, claim) : accepted
    const created = await forRights(ready, create)
    await release(ready, created)
    return created
  }
}

/** Processes a list of one request, which has one answer. */
export const processAccount =
  (process: ReturnType<typeof processAccounts>) =>
  (request: Submission & InRun): UseCaseResult<ProcessingRefused, Processed> =>
  async () =>
    (await process([request]))[0] ?? E.left(noOutcome())
