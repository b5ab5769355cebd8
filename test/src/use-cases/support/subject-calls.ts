import { nobody } from './nobody.js'
import type { PlainCall } from './plain-call.js'
import { sample } from './samples.js'
import { gasKey, organisation } from './service.js'

const fresh = { organisation, payload: { ...sample('gas-account'), external_account_number: 'NEW' } }

/** What is held of an account is exported, and erased. */
export const subjectCalls = {
  'operator.exportSubject': {
    succeeds: ({ plain }) => plain.operator.exportSubject(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.exportSubject(nobody)],
  },
  'operator.previewErasure': {
    succeeds: ({ plain }) => plain.operator.previewErasure(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.previewErasure(nobody)],
  },
  'operator.eraseSubject': {
    given: ({ plain }) => plain.stageAccount(fresh),
    succeeds: ({ plain }) => plain.operator.eraseSubject({ ...gasKey, externalAccountNumber: 'NEW' }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.eraseSubject(nobody)],
  },
} as const satisfies Readonly<Record<string, PlainCall>>
