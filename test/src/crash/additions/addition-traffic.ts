import type { Client } from '@account-import/client'
import type { Addition } from './addition.js'

/** What clients know of the requests that they sent. */
export type AdditionTally = Readonly<{
  /** No answer came; to be sent again, as they are. */
  unanswered: Addition[]
  /** Answered as added, by the one who added it. */
  acknowledged: Addition[]
  /** Found there when they were sent again: a server that was killed had added them. */
  learned: Addition[]
  faults: string[]
  /** Requests that a kill cut off. */
  interrupted: Set<Addition>
}>

export const emptyAdditionTally = (): AdditionTally => ({
  unanswered: [],
  acknowledged: [],
  learned: [],
  faults: [],
  interrupted: new Set(),
})

/** Sends one request and notes its answer; false when none came. */
export const sendAndNote = async (
  tally: AdditionTally,
  addition: Addition,
  client: Client,
): Promise<boolean> => {
  const verdict = await addition.send(client)
  if (verdict === 'cut off') {
    tally.interrupted.add(addition)
    return false
  }
  if (verdict === 'added') tally.acknowledged.push(addition)
  else if (verdict === 'there' && tally.interrupted.has(addition)) tally.learned.push(addition)
  else
    tally.faults.push(
      `${addition.number} ${addition.items[0]}: ${verdict === 'there' ? 'there before it was sent' : verdict.fault}`,
    )
  return true
}

export type AdditionTraffic = Readonly<{
  /** Resolves with the first answer: from then on the server is warm. */
  flowing: Promise<void>
  stop(): Promise<void>
}>

/** Clients that send what was not answered before, and then new requests, one after the other each. */
export const startAdditions = (
  tally: AdditionTally,
  next: () => Addition,
  client: Client,
  clients: number,
): AdditionTraffic => {
  let going = true
  let answered = (): void => undefined
  const flowing = new Promise<void>((resolve) => {
    answered = resolve
  })
  const cutOff: Addition[] = []
  const work = async (): Promise<void> => {
    while (going) {
      const addition = tally.unanswered.shift() ?? next()
      if (await sendAndNote(tally, addition, client)) answered()
      else {
        // The server is gone: whatever else was sent to it would say nothing.
        cutOff.push(addition)
        return
      }
    }
  }
  const workers = Promise.all(Array.from({ length: clients }, work))
  return {
    flowing,
    stop: async () => {
      going = false
      await workers
      tally.unanswered.push(...cutOff)
    },
  }
}
