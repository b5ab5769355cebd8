import type { Ports } from '../../ports/index.js'
import type { AuditUseCases } from '../audit-signatures.js'
import { listEntries } from './list-entries.js'
import { verifyChains } from './verify-chains.js'

export const makeAuditUseCases = (ports: Ports): AuditUseCases => ({
  seal: (limit) => ports.auditTrail.seal(limit),
  list: listEntries(ports),
  heads: () => ports.auditTrail.heads(),
  verify: verifyChains(ports),
})
