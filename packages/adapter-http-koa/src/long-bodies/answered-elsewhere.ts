import { E, type Either } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import type { Reply } from '../answers.js'
import { goneSignal } from '../client-gone.js'
import type { AppContext } from '../context.js'
import { pathAsked } from '../path-asked.js'
import type { Admitted } from '../admitted.js'
import type { LongBodies } from './long-request.js'

/** Has an admitted request answered in another thread, and notes for the log what is said there. */
export const answeredElsewhere = async (
  ctx: AppContext,
  route: string,
  { organisation, by, address, bytes, claimed }: Admitted<unknown, unknown>,
  longBodies: LongBodies,
): Promise<Either<Refusal, Reply>> => {
  const record = ctx.state.accountImport
  const { requestId } = record
  const path = pathAsked(ctx)
  const request = {
    route,
    organisation,
    by,
    claimed,
    ...address,
    path,
    requestId,
    bytes,
  }
  const { notes, ...reply } = await longBodies.answer(request, goneSignal(ctx.res))
  Object.assign(record, notes)
  return E.right(reply)
}
