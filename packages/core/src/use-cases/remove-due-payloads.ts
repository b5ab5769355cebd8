import type { Actor } from '../domain/audit-entry.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { type Instant, plusSeconds } from '../values/instant.js'

type DuePorts = Pick<Ports, 'clock' | 'importSuppliers' | 'personalData' | 'secrets' | 'leases'>

/** A server that is at it comes again within two minutes; when it has died, another one takes over after five. */
const leaseSeconds = 300

/** The actor of work that servers do by themselves. */
const service: Actor = { who: 'service' }

const secondsOfDay = 86_400

/** When the latest of the accounts was created whose staged data is due; undefined for one whose data is kept for ever. */
const dueBy = ({ settings }: ImportSupplier, at: Instant): Instant | undefined =>
  settings.retentionDays === undefined ? undefined : plusSeconds(at, -settings.retentionDays * secondsOfDay)

const removeFrom =
  (
    { clock, personalData }: DuePorts,
    suppliers: readonly ImportSupplier[],
    limit: number,
  ): PortResult<number> =>
  async () => {
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
