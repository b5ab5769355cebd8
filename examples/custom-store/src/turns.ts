import type { Journal } from './journal.js'
import { View } from './view.js'

/** Reads and changes rows for the stores: committed rows, or those of their unit of work. */
export type Access = Readonly<{
  read<A>(work: (view: View) => A): Promise<A>
  /** Stores all puts of the work, or none when it throws. */
  change<A>(work: (view: View) => A): Promise<A>
}>

export type Turns = Access &
  Readonly<{
    /** Runs the work when those before it have ended, and commits its changes where `keeps` allows it. */
    alone<A>(work: (access: Access) => Promise<A>, keeps: (answer: A) => boolean): Promise<A>
  }>

/** A change inside a unit of work: an error undoes all of it. */
const within = (view: View): Access => ({
  read: async (work) => work(view),
  change: async (work) => {
    const own = new View(view)
    const answer = work(own)
    view.take(own.changes())
    return answer
  },
})

/** Writers run one after the other, because a journal has one end; readers do not wait. */
export const takeTurns = ({ view, append }: Journal): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  const alone: Turns['alone'] = (work, keeps) => {
    const turn = last.then(async () => {
      const own = new View(view)
      const answer = await work(within(own))
      if (keeps(answer)) await append(own.changes())
      return answer
    })
    // The next turn begins even if this one fails; the caller of this one gets the error.
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    alone,
    read: async (work) => work(view),
    change: (work) =>
      alone(
        ({ change }) => change(work),
        () => true,
      ),
  }
}
