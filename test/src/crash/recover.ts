import type { Client } from '@account-import/client'
import { setTimeout } from 'node:timers/promises'
import type { SetUp } from '../support/set-up.js'
import { note, type Tally } from './tally.js'
import { processOne } from './traffic.js'

/** Far longer than any claim of these tests lives. */
const mostMilliseconds = 10_000

const untilSettled = async (setUp: SetUp, client: Client, tally: Tally, number: string): Promise<void> => {
  const begun = Date.now()
  while (!note(tally, number, await processOne(setUp, client, number))) {
    if (Date.now() - begun > mostMilliseconds) {
      tally.unexpected.push(`${number}: cannot be processed any more`)
      return
    }
    await setTimeout(100)
  }
}

/** Processes everything that still waits; gives the milliseconds that it took. */
export const recover = async (
  setUp: SetUp,
  client: Client,
  tally: Tally,
  clients: number,
): Promise<number> => {
  const begun = Date.now()
  const work = async (): Promise<void> => {
    for (let number = tally.waiting.pop(); number !== undefined; number = tally.waiting.pop())
      await untilSettled(setUp, client, tally, number)
  }
  await Promise.all(Array.from({ length: clients }, work))
  return Date.now() - begun
}
