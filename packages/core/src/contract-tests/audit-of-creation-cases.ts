import type { StorePorts } from '../ports/index.js'
import { entriesOf, plain, summaryOf } from './audit-cases.js'
import { aCreation, after, aStaging, freshKey, freshNumber, sha256, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const by = { who: 'key 0123', requestId: 'r-1' }

/** The audit events of creations without a claim. */
export const auditOfCreationCases = casesOf<StorePorts>('AuditTrail', {
  'creations and failed attempts without a claim are recorded once, and a staging that creates an account twice':
    async (ports) => {
      const { accountImports } = ports
      const key = await freshKey(ports)
      const [hash, payload] = [await sha256('{"a":1}'), '{"a":2}']
      await right(accountImports.stage([{ ...aStaging(key), by }]))
      const failure = { code: 'error', at: after(1) }
      await right(accountImports.release([{ key, failure, by }]))
      await right(accountImports.create([{ ...aCreation(key, after(2)), validatedUnder: undefined }]))
      const creation = { ...aCreation(key, after(3)), by }
      const { platformAccountNumber: subject, operationsTeam } = creation
      for (const again of [creation, creation, aCreation(key, after(4))])
        await right(accountImports.create([again]))
      const other = { ...key, externalAccountNumber: 'other' }
      const platformAccountNumber = freshNumber()
      const staging = { ...aStaging(other, payload, after(5)), by }
      for (let repeated = 0; repeated < 2; repeated += 1)
        await right(
          accountImports.stage([{ ...staging, creation: { platformAccountNumber, operationsTeam } }]),
        )
      const events = await entriesOf(ports, key.organisation)
      const of = (number: string) =>
        events.filter(({ externalAccountNumber }) => externalAccountNumber === number).map(summaryOf)
      equal(
        of(key.externalAccountNumber),
        plain([
          { what: 'staged', by, at: start, after: hash },
          { what: 'failed', by, at: after(1), before: hash, subject: 'error' },
          { what: 'created', by, at: after(3), before: hash, after: await sha256(subject), subject },
        ]),
      )
      const [staged, created] = [await sha256(payload), await sha256(platformAccountNumber)]
      equal(
        of('other'),
        plain([
          { what: 'staged', by, at: after(5), after: staged },
          {
            what: 'created',
            by,
            at: after(5),
            before: staged,
            after: created,
            subject: platformAccountNumber,
          },
        ]),
      )
    },
})
