import type { ExecutionContext } from 'ava'
import { tokenOf } from '../../journeys/support/token-of.js'
import { openWorld, type World, type WorldOptions } from '../../journeys/support/world.js'
import { gasAccount } from '../../support/samples.js'
import type { BulkSending } from '../../support/bulk-exchange.js'

/** A service in memory, and how to send to it. */
export type BulkWorld = World & Readonly<{ sending: BulkSending }>

export const openBulkWorld = async (t: ExecutionContext, options: WorldOptions = {}): Promise<BulkWorld> => {
  const world = await openWorld(t, undefined, options)
  return { ...world, sending: { baseUrl: world.baseUrl, token: await tokenOf(world.raw, world.apiKey) } }
}

/** A valid account as a line. */
export const lineOf = ({ supplier }: World, number: string): string =>
  `${JSON.stringify(gasAccount(supplier, number))}\n`
