import { nobody } from './nobody.js'
import type { PlainCall } from './plain-call.js'
import { gasKey } from './service.js'

/** What is held of an account is exported, and erased. */
export const subjectCalls = {
  'operator.exportSubject': {
    succeeds: ({ plain }) => plain.operator.exportSubject(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.exportSubject(nobody)],
  },
  'operator.eraseSubject': {
    given: ({ plain, claimed }) => plain.emails.release(claimed),
    succeeds: ({ plain }) => plain.operator.eraseSubject(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.eraseSubject(nobody)],
  },
} as const satisfies Readonly<Record<string, PlainCall>>
