import type { AnyEndpoint } from '../endpoint.js'
import { Lines } from '../lines/lines.js'
import type { JsonSchema } from '../schema/json-schema.js'

const descriptions = {
  Authentication: 'A token for an API key.',
  'Account imports': 'One account is checked, staged and created.',
  'Bulk requests': 'The same for many accounts, one a line.',
  Additions: 'Notes, bills, payment instructions and transactions for accounts that were created.',
  State: 'How far imports are.',
} as const

type Tag = keyof typeof descriptions

/** The groups of endpoints, in the order in which a client comes to need them. */
export const tags: readonly JsonSchema[] = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description,
}))

export const authenticationTag: Tag = 'Authentication'

export const tagOf = ({ scope, success }: Pick<AnyEndpoint, 'scope' | 'success'>): Tag => {
  if (success instanceof Lines) return 'Bulk requests'
  if (scope === 'post-import') return 'Additions'
  return scope === 'read' ? 'State' : 'Account imports'
}
