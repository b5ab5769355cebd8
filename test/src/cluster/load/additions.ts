import { additionOf, type Addition } from '../../crash/additions/addition.js'
import { emptyAdditionTally, type AdditionTally } from '../../crash/additions/addition-traffic.js'
import type { Tally } from './tally.js'
import type { Work } from './work.js'

/** Adds to few accounts, so that clients of several servers meet at the same one. */
export type Additions = Work & Readonly<{ known: AdditionTally }>

/** As the answer would be whose words the addition gives. */
const resultOf = (
  verdict: Awaited<ReturnType<Addition['send']>>,
): Readonly<{ ok: boolean; status: number; code?: string }> => {
  if (verdict === 'added' || verdict === 'there') return { ok: true, status: 201 }
  if (verdict === 'cut off') return { ok: false, status: 0, code: 'network' }
  return { ok: false, status: verdict.status, code: verdict.fault }
}

export const additions = (supplier: string, numbers: readonly string[], tally: Tally): Additions => {
  const known = emptyAdditionTally()
  let count = 0
  const fresh = (): Addition => {
    const ordinal = count++
    return additionOf(supplier, numbers[ordinal % numbers.length] ?? '', ordinal)
  }
  return {
    known,
    isReady: () => true,
    unclear: () => known.unanswered.length,
    async next({ client, place }) {
      const addition = known.unanswered.shift() ?? fresh()
      const what = `${addition.number} ${addition.items[0]}`
      const verdict = await addition.send(client)
      const answer = tally.note(place, what, resultOf(verdict))
      if (answer === 'again') {
        known.interrupted.add(addition)
        known.unanswered.push(addition)
      } else if (answer !== 'done') tally.faults.push(`${what}: ${answer.refused}`)
      else if (verdict === 'added') known.acknowledged.push(addition)
      else if (known.interrupted.has(addition)) known.learned.push(addition)
      else tally.faults.push(`${what}: there before it was sent`)
      return answer !== 'again'
    },
  }
}
