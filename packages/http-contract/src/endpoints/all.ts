import type { LineOf } from '../lines.js'
import { additionEndpoints } from './additions.js'
import { bulkEndpoints, singleAccountEndpoints } from './accounts.js'
import { digestEndpoints, stateEndpoints } from './state.js'
import { openRunEndpoints, importRunEndpoints } from './import-runs.js'

/** Every endpoint of the data-import API, in the order of the documentation. */
export const endpoints = {
  ...singleAccountEndpoints,
  ...openRunEndpoints,
  ...bulkEndpoints,
  ...additionEndpoints,
  ...stateEndpoints,
  ...importRunEndpoints,
  ...digestEndpoints,
} as const

/** The success body of an endpoint, by its name: `AnswerOf<'transferStatus'>`. */
export type AnswerOf<Name extends keyof typeof endpoints> = LineOf<(typeof endpoints)[Name]['success']>
