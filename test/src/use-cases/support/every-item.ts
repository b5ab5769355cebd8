import type { BulkResult, PlainResult, PortFailure } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'

type Read<Refused, Item> = Promise<PlainResult<Refused | PortFailure, readonly Item[]>>

/** A list that a use case gives, read to its end; a port that fails on the way is the refusal. */
export const everyItem = async <Refused, Item>(
  answer: Promise<PlainResult<Refused, AsyncIterable<Item>>>,
): Read<Refused, Item> => {
  const listed = await answer
  if (!listed.ok) return listed
  const value: Item[] = []
  try {
    for await (const item of listed.value) value.push(item)
  } catch (error) {
    if (!(error instanceof Error) || error.cause === undefined) throw error
    return { ok: false, refusal: error.cause as PortFailure }
  }
  return { ok: true, value }
}

/** What became of the accounts of a bulk request, which goes on to its end; the first refusal, if there is one. */
export const everyOutcome = async <Refused, RefusedOne, A>(
  answer: Promise<PlainResult<Refused, AsyncIterable<BulkResult<RefusedOne, A>>>>,
): Promise<PlainResult<Refused | RefusedOne | PortFailure, readonly A[]>> => {
  const results = await everyItem(answer)
  if (!results.ok) return results
  const outcomes = results.value.map(({ outcome }) => outcome)
  const refused = outcomes.find(E.isLeft)
  if (refused !== undefined) return { ok: false, refusal: refused.left }
  return { ok: true, value: outcomes.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right] : [])) }
}
