import type { AnswerClaim } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { now } from './imports.js'

/** A claim of a minute on a request, whose key is valid for a day. */
export const answerClaimOf = (request: string, at = now()): AnswerClaim => ({
  key: { organisation: 'ACME', request },
  content: 'c',
  token: randomUUID(),
  at,
  endsAt: plusSeconds(at, 60),
  expiresAt: plusSeconds(at, 86_400),
})
