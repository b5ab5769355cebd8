import type { Actor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { type Instant, plusSeconds } from '../values/instant.js'

type DuePorts = Pick<
  Ports,
  'accounts' | 'clock' | 'importRuns' | 'importSuppliers' | 'personalData' | 'secrets' | 'leases'
>

/** A running server renews the lease within two minutes; another one takes over five minutes after its death. */
const leaseSeconds = 300

/** The actor of work that servers do by themselves. */
const service: Actor = { who: 'service' }

const secondsOfDay = 86_400

/** Failures of runs that one call of the store removes. */
const mostFailures = 1000

/** Staged data of accounts that were created by this time is due; undefined if the supplier's data is kept for ever. */
const dueBy = ({ settings }: ImportSupplier, at: Instant): Instant | undefined =>
  settings.retentionDays === undefined ? undefined : plusSeconds(at, -settings.retentionDays * secondsOfDay)

/** The failures of a supplier's runs are removed after the same time, as they name accounts. */
const removeFailures = async (
  { importRuns }: DuePorts,
  due: Omit<Parameters<Ports['importRuns']['removeFailures']>[0], 'limit'>,
): PortResult<void> => {
  for (;;) {
    const removed = await importRuns.removeFailures({ ...due, limit: mostFailures })
    if (E.isLeft(removed)) return removed
    if (removed.right < mostFailures) return E.right(undefined)
  }
}

const removeFrom = async (
  ports: DuePorts,
  suppliers: readonly ImportSupplier[],
  limit: number,
): PortResult<number> => {
  const { accounts, clock, personalData } = ports
  let removed = 0
  for (const supplier of suppliers) {
    const at = clock.now()
    const createdBy = dueBy(supplier, at)
    if (createdBy === undefined || removed >= limit) continue
    const { organisation, code: importSupplier } = supplier
    if (accounts.keepsDetails === true) {
      const due = { organisation, importSupplier, createdBy, at, limit: limit - removed, by: service }
      const answer = await personalData.removePayloads(due)
      if (E.isLeft(answer)) return answer
      removed += answer.right
    }
    const failures = await removeFailures(ports, { organisation, importSupplier, until: createdBy, at })
    if (E.isLeft(failures)) return failures
  }
  return E.right(removed)
}

/**
 * Removes failures of runs after the retention days of their supplier, and staged data of created accounts where the platform keeps
 * the details itself; unless another server has the lease.
 */
export const removeDuePayloads = (ports: DuePorts): ((limit: number) => PortResult<number>) => {
  const token = ports.secrets.generate()
  return async (limit) => {
    const at = ports.clock.now()
    const endsAt = plusSeconds(at, leaseSeconds)
    const isOurs = await ports.leases.take({ job: 'remove_payloads', token, at, endsAt })
    if (E.isLeft(isOurs)) return isOurs
    if (!isOurs.right) return E.right(0)
    const suppliers = await ports.importSuppliers.listAll()
    return E.isLeft(suppliers) ? suppliers : removeFrom(ports, suppliers.right, limit)
  }
}
