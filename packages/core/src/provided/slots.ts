import { FairLine } from './fair-line.js'

/** More wait than may: the work is not begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too much of the same owner waits for its turn')
    this.name = 'TooManyWaiting'
  }
}

/**
 * Limits how many pieces of work run at the same time. The others wait in line: their owners take turns, and what one
 * owner has waiting goes in the order in which it came. So whoever asks for a lot waits for it alone.
 */
export type Slots = Readonly<{
  /** How many there are, 1 or more. */
  most: number
  /**
   * Runs the work as soon as a slot is free and it is the owner's turn. If the signal is aborted before, it rejects with
   * the signal's reason; where too much of the owner waits already, with `TooManyWaiting`. The work then never begins; work
   * that has begun keeps its slot until it has ended.
   */
  run<A>(owner: string, signal: AbortSignal, work: () => Promise<A>): Promise<A>
}>

/** `mostWaiting`: how much of one owner may wait; any number when absent. */
export const slots = (most: number, mostWaiting = Number.POSITIVE_INFINITY): Slots => {
  let free = most
  const line = new FairLine<() => void>()

  const taken = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free--
        return resolve()
      }
      const leave = (): void => {
        line.leave(owner, enter)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      if (line.waitingOf(owner) >= mostWaiting) throw new TooManyWaiting()
      line.join(owner, enter)
      signal.addEventListener('abort', leave, { once: true })
    })

  const givenBack = (): void => {
    const next = line.next()
    if (next === undefined) free++
    else next()
  }

  return {
    most,
    run: async (owner, signal, work) => {
      signal.throwIfAborted()
      await taken(owner, signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        givenBack()
      }
    },
  }
}
