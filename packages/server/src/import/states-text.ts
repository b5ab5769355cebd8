import { numberText } from '../account-files/report/numbers.js'
import { type LineState, lineStates } from './import-job.js'

const words: Readonly<Record<LineState, string>> = {
  valid: 'valid',
  staged: 'staged',
  created: 'created',
  existing: 'created before',
  failed: 'failed',
}

/** Counts by state: `created 12, failed 3`. */
export const statesText = (states: Readonly<Record<LineState, number>>): string =>
  lineStates
    .filter((state) => states[state] > 0)
    .map((state) => `${words[state]} ${numberText(states[state])}`)
    .join(', ')
