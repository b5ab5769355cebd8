import { InvalidArgumentError } from 'commander'
import type { Instant } from '@account-import/core'
import { fromWireDatetime, isInstant } from '@account-import/core/adapter-kit'

const read = (text: string): Instant | undefined => {
  const datetime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(datetime)) return undefined
  const instant = fromWireDatetime(datetime)
  // Date carries over days that do not exist, such as 30 February; writing it again shows that.
  return isInstant(instant) && new Date(instant).toISOString() === instant ? instant : undefined
}

/** Reads `YYYY-MM-DDTHH:MM:SSZ`, or `YYYY-MM-DD` for the beginning of that day in UTC. */
export const instantArgument = (text: string): Instant => {
  const instant = read(text)
  if (instant === undefined)
    throw new InvalidArgumentError('Use a date such as 2030-12-31T00:00:00Z or 2030-12-31.')
  return instant
}
