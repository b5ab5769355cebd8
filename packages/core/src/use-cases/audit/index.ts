import type { Ports } from '../../ports/index.js'
import type { AuditUseCases } from '../audit-signatures.js'
import { listEntries } from './list-entries.js'
import { verifyChains } from './verify-chains.js'

/** Those that read and seal. */
export const makeAuditUseCases = (ports: Ports): Omit<AuditUseCases, 'recorded'> => ({
  seal: (limit) => ports.auditTrail.seal(limit),
  list: listEntries(ports),
  heads: () => ports.auditTrail.heads(),
  verify: verifyChains(ports),
})
