import type { ValidLine } from '@account-import/client'
import { detailOf, type FieldError } from '@account-import/core'
import type { LineOutcome, Step } from './import-job.js'

/** The outcome of a line that is done with. */
export type Settled = Omit<LineOutcome, 'line'>

const otherData: FieldError = {
  detail:
    'The account exists, and was created from other data. Decide which data is right: correct the file, or take the account back and import it again.',
  code: 'account_already_imported',
  attr: 'external_account_number',
}

/** An account that exists; a service that says nothing of its data is of another version, or has erased it. */
export const existing = (
  sameData: boolean | undefined,
  step: Step,
  platformAccountNumber?: string,
): Settled =>
  sameData === false
    ? { state: 'differing', errors: [otherData], step, platformAccountNumber }
    : { state: 'existing', errors: [], platformAccountNumber }

/** An account that staging would take, or why it would not. */
export const foreseen = ({ staging, sameData }: ValidLine): Settled => {
  switch (staging) {
    case undefined:
      return { state: 'valid', errors: [] }
    case 'created':
      return { state: 'would_create', errors: [] }
    case 'replaced':
      return { state: 'would_replace', errors: [] }
    case 'account_already_imported':
      return existing(sameData, 'stage')
    default:
      return {
        state: 'failed',
        errors: [{ detail: detailOf(staging), code: staging, attr: '' }],
        step: 'stage',
      }
  }
}
