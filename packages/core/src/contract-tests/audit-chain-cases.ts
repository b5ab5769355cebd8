import type { ChainPart } from '../ports/audit-trail.js'
import type { StorePorts } from '../ports/index.js'
import { after, freshCode } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'

const by = { who: 'key 0123' }

/** Reads a whole chain by short pages, and returns the parts whose blocks are without some of their events, or events without a block. */
const brokenParts = async (
  { auditTrail }: StorePorts,
  organisation: string,
): Promise<readonly ChainPart[]> => {
  const broken: ChainPart[] = []
  for (let last: number | undefined; ;) {
    const parts = await right(auditTrail.chain(organisation, last, 20))
    broken.push(...parts.filter(({ block, events }) => block?.events !== events.length))
    if (parts.length === 0) return broken
    last = parts.at(-1)?.number
  }
}

/** The chain beside sealing. */
export const auditChainCases: readonly ContractCase<StorePorts>[] = casesOf<StorePorts>(
  'AuditTrail',
  {
    'a chain that is read beside sealing has each block with all of its events, and a list has each event once':
      async (ports) => {
        const { auditTrail } = ports
        const organisation = freshCode('ORG')
        const entries = Array.from({ length: 600 }, (_, second) => ({
          organisation,
          at: after(second),
          what: 'logged_in' as const,
          by,
        }))
        await right(auditTrail.record(entries))
        for (let round = 0; round < 100; round += 1) {
          const sealings = [auditTrail.seal(3), auditTrail.seal(3)]
          equal(await brokenParts(ports, organisation), [])
          const events = await right(auditTrail.events({ organisation }, undefined, 1000))
          equal(new Set(events.map(({ id }) => id)).size, entries.length)
          equal(events.length, entries.length)
          for (const sealing of sealings) await right(sealing)
        }
        equal(await brokenParts(ports, organisation), [])
      },
    'the oldest unsealed event of all organisations is known until it is sealed': async (ports) => {
      const { auditTrail } = ports
      while ((await right(auditTrail.seal(1000))).more);
      equal(await right(auditTrail.oldestUnsealed()), undefined)
      const organisations = [freshCode('ORG'), freshCode('ORG')]
      for (const second of [7, 5, 9])
        for (const [place, organisation] of organisations.entries())
          await right(auditTrail.record([{ organisation, at: after(second + place), what: 'logged_in', by }]))
      equal(await right(auditTrail.oldestUnsealed()), after(5))
      await right(auditTrail.seal(1))
      equal(await right(auditTrail.oldestUnsealed()), after(7))
    },
  },
  'alone',
)
