import type { Tally } from './tally.js'
import { gasAccount } from '../../support/samples.js'
import { hearAll, once } from './bulk-answers.js'
import type { Work } from './work.js'

/** Stages new accounts, one or many by a request. */
export type Stagings = Readonly<{ one: Work; many: Work }>

/** Accounts of a bulk request. */
const atOnce = 8

/** `staged` is told of each that was acknowledged. */
export const stagings = (supplier: string, tally: Tally, staged: (number: string) => void): Stagings => {
  const unclear: string[] = []
  let count = 0
  const next = (): string => unclear.shift() ?? `A-${(count += 1)}`
  /** False when it has to be asked for again. */
  const hear = (place: number, number: string, result: Parameters<Tally['note']>[2]): boolean => {
    const answer = tally.note(place, `stage ${number}`, result)
    if (answer === 'done') staged(number)
    else if (answer === 'again') unclear.push(number)
    else tally.faults.push(`stage ${number}: ${answer.refused}`)
    return answer !== 'again'
  }
  const all = { isReady: () => true, unclear: () => unclear.length }
  return {
    one: {
      ...all,
      async next({ client, place }) {
        const number = next()
        return hear(place, number, await client.stageAccount(gasAccount(supplier, number)))
      },
    },
    many: {
      ...all,
      async next({ client, place }) {
        const numbers = Array.from({ length: atOnce }, next)
        const accounts = numbers.map((number) => gasAccount(supplier, number))
        let isKnown = true
        await hearAll(numbers, client.bulkStage(accounts, once), (number, answer) => {
          if (!hear(place, number, answer)) isKnown = false
        })
        return isKnown
      },
    },
  }
}
