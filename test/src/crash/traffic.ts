import type { Client } from '@account-import/client'
import type { SetUp } from '../support/set-up.js'
import { note, type Tally } from './tally.js'

export const processOne = ({ supplier, team }: SetUp, client: Client, number: string) =>
  client.processAccount({
    external_account_number: number,
    import_supplier_code: supplier,
    operations_team_name: team,
  })

/** Traffic that goes on until it is stopped. */
export type Traffic = Readonly<{
  /** Resolves with the first account that is settled: from then on the server is warm. */
  flowing: Promise<unknown>
  stop(): Promise<void>
}>

/**
 * Clients that process waiting accounts, one after the other each. What is not settled comes first in the next
 * traffic, not in this one, so that nobody asks again and again for an account whose claim has not expired.
 */
export const startTraffic = (setUp: SetUp, client: Client, tally: Tally, clients: number): Traffic => {
  let going = true
  const later: string[] = []
  const work = async (): Promise<void> => {
    while (going) {
      const number = tally.waiting.pop()
      if (number === undefined) return
      if (note(tally, number, await processOne(setUp, client, number))) settled()
      else later.push(number)
    }
  }
  let settled = (): void => undefined
  const first = new Promise<void>((resolve) => {
    settled = resolve
  })
  const workers = Promise.all(Array.from({ length: clients }, work))
  return {
    flowing: Promise.race([first, workers]),
    stop: async () => {
      going = false
      await workers
      tally.waiting.push(...later)
    },
  }
}
