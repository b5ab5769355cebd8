import type { Journal } from './journal.js'
import { View } from './view.js'

/** How stores read and change rows: committed ones, or those of the unit of work that they belong to. */
export type Access = Readonly<{
  read<A>(work: (view: View) => A): Promise<A>
  /** All that the work puts, or nothing where it throws. */
  change<A>(work: (view: View) => A): Promise<A>
}>

export type Turns = Access &
  Readonly<{
    /** Runs the work when those before it have ended, and commits what it did where `keeps` says so. */
    alone<A>(work: (access: Access) => Promise<A>, keeps: (answer: A) => boolean): Promise<A>
  }>

/** A change inside a unit of work: what throws half way leaves nothing. */
const within = (view: View): Access => ({
  read: async (work) => work(view),
  change: async (work) => {
    const own = new View(view)
    const answer = work(own)
    view.take(own.changes())
    return answer
  },
})

/** One writer after the other, as a journal has one end; readers wait for nobody. */
export const takeTurns = ({ view, append }: Journal): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  const alone: Turns['alone'] = (work, keeps) => {
    const turn = last.then(async () => {
      const own = new View(view)
      const answer = await work(within(own))
      if (keeps(answer)) await append(own.changes())
      return answer
    })
    // The next turn comes even if this one fails, which its own caller is told.
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
