import { unnamedActor, type AuditEvent } from '../../domain/audit-entry.js'
import { pipe, TE } from '../../fp.js'
import type { LockedAccount } from '../../ports/accounts.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { hashOf } from '../authentication/present-credentials.js'
import type { CheckedAddition } from './check-addition.js'

export type RecordPorts = Pick<Ports, 'clock' | 'secrets'>

/** Records what was added to an account, as one entry with a hash of it, in the unit of work that adds it; nothing for nothing. */
export const recordAddition =
  (ports: RecordPorts, { key, by = unnamedActor }: Pick<CheckedAddition<unknown>, 'key' | 'by'>) =>
  (
    { auditTrail }: Pick<TransactionalStores, 'auditTrail'>,
    { platformAccountNumber: subject }: LockedAccount,
    what: AuditEvent,
    added: readonly unknown[],
  ): PortResult<void> =>
    added.length === 0
      ? TE.right(undefined)
      : pipe(
          hashOf(ports, JSON.stringify(added)),
          TE.flatMap((after) =>
            auditTrail.record([{ ...key, at: ports.clock.now(), what, by, subject, after }]),
          ),
        )
