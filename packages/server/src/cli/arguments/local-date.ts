import { InvalidArgumentError } from 'commander'
import type { LocalDate } from '@account-import/core'
import { date } from '@account-import/core/adapter-kit'

/** Reads a day of the calendar as `YYYY-MM-DD`. */
export const localDate = (text: string): LocalDate => {
  if (!date.is(text)) throw new InvalidArgumentError('Use a day such as 2030-12-31.')
  return text
}
