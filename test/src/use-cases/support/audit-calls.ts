import { TE } from '@account-import/core/adapter-kit'
import { everyItem } from './every-item.js'
import type { PlainCall } from './plain-call.js'

/** What is asked of the record. */
export const auditCalls = {
  'audit.seal': { succeeds: ({ plain }) => plain.audit.seal(1000) },
  'audit.heads': { succeeds: ({ plain }) => plain.audit.heads() },
  'audit.list': {
    succeeds: ({ plain }) => everyItem(plain.audit.list({})),
    refused: ['DoesNotExist', ({ plain }) => plain.audit.list({ importSupplier: 'NOBODY' })],
  },
  'audit.verify': {
    given: ({ plain }) => plain.audit.seal(1000),
    succeeds: ({ plain }) => everyItem(plain.audit.verify({ heads: [] })),
  },
  'audit.recorded': {
    succeeds: ({ plain }) => plain.audit.recorded('rewrapDataKeys', TE.right({ rewrapped: 3 })),
  },
} satisfies Readonly<Record<string, PlainCall>>
