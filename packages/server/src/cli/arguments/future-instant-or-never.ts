import { InvalidArgumentError } from 'commander'
import { systemClock, type Instant } from '@account-import/core'
import { instantArgument } from './instant-argument.js'

/** Reads an instant (`instantArgument`); what is past is refused. Or `never`. */
export const futureInstantOrNever = (text: string): Instant | 'never' => {
  if (text === 'never') return text
  const instant = instantArgument(text)
  if (instant <= systemClock.now()) throw new InvalidArgumentError('It lies in the past.')
  return instant
}
