import type { Actor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { type Instant, plusSeconds } from '../values/instant.js'

type DuePorts = Pick<
  Ports,
  'clock' | 'importRuns' | 'importSuppliers' | 'personalData' | 'secrets' | 'leases'
>

/** A server that is at it comes again within two minutes; when it has died, another one takes over after five. */
const leaseSeconds = 300

/** The actor of work that servers do by themselves. */
const service: Actor = { who: 'service' }

const secondsOfDay = 86_400

/** Failures of runs that one call of the store removes. */
const mostFailures = 1000

/** When the latest of the accounts was created whose staged data is due; undefined for one whose data is kept for ever. */
const dueBy = ({ settings }: ImportSupplier, at: Instant): Instant | undefined =>
  settings.retentionDays === undefined ? undefined : plusSeconds(at, -settings.retentionDays * secondsOfDay)

/** The failures of a supplier's runs go with the staged data: they name accounts. */
const removeFailures = async (
  { importRuns }: DuePorts,
  due: Omit<Parameters<Ports['importRuns']['removeFailures']>[0], 'limit'>,
): Promise<Either<PortFailure, void>> => {
  for (;;) {
    const removed = await importRuns.removeFailures({ ...due, limit: mostFailures })()
    if (E.isLeft(removed)) return removed
    if (removed.right < mostFailures) return E.right(undefined)
  }
}

const removeFrom =
  (ports: DuePorts, suppliers: readonly ImportSupplier[], limit: number): PortResult<number> =>
  async () => {
    const { clock, personalData } = ports
    let removed = 0
    for (const supplier of suppliers) {
      const at = clock.now()
      const createdBy = dueBy(supplier, at)
      if (createdBy === undefined || removed >= limit) continue
      const { organisation, code: importSupplier } = supplier
      const due = { organisation, importSupplier, createdBy, at, limit: limit - removed, by: service }
      const answer = await personalData.removePayloads(due)()
      if (E.isLeft(answer)) return answer
      removed += answer.right
      const failures = await removeFailures(ports, { organisation, importSupplier, until: createdBy, at })
      if (E.isLeft(failures)) return failures
    }
    return E.right(removed)
  }

/** Removes staged data that has been kept for as long as its supplier wants, where no other server is at it. */
export const removeDuePayloads = (ports: DuePorts): ((limit: number) => PortResult<number>) => {
  const token = ports.secrets.generate()
  return (limit) => {
    const at = ports.clock.now()
    return pipe(
      ports.leases.take({ job: 'remove_payloads', token, at, endsAt: plusSeconds(at, leaseSeconds) }),
      TE.flatMap((isOurs) =>
        isOurs
          ? pipe(
              ports.importSuppliers.list(),
              TE.flatMap((suppliers) => removeFrom(ports, suppliers, limit)),
            )
          : TE.right(0),
      ),
    )
  }
}
