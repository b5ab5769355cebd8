import { storeCases } from '@account-import/core/contract-tests'
import { registerBackends } from '../journeys/support/backends.js'
import { newKey, ringOf } from '../support/key-rings.js'
import { isThorough } from '../support/properties.js'
import { holds } from './holds.js'

/** Ports that keep nothing that is encrypted: only long runs of properties try them on encrypted databases. */
const plain = new Set(
  'ApiKeys AuditTrail FailedAttempts ImportRuns ImportSuppliers Leases OperationsTeams Organisations RefreshTokens'.split(
    ' ',
  ),
)

for (const { name, stores } of registerBackends(ringOf(newKey())))
  holds(
    name.endsWith('encrypted') && !isThorough
      ? storeCases.filter(({ port }) => !plain.has(port))
      : storeCases,
    name,
    stores,
  )
