import { makeUseCases, type AuditEntry } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../../support/answers.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import type { Looked } from './look-at.js'

/** What is wrong with the record: every staging and every account has one entry, sealed once, in chains without holes. */
export const recordFaults = async (
  { stores }: SharedDatabase,
  all: readonly Looked[],
): Promise<readonly string[]> => {
  const { audit } = makeUseCases({ ...inMemoryPorts(), ...stores })
  for (;;) {
    const sealing = await answer(audit.seal(500))
    if (sealing._tag === 'sealed' && !sealing.more) break
  }
  const faults: string[] = []
  for await (const page of await answer(audit.verify({ heads: [] }))) {
    if (E.isLeft(page)) return ['I3: the record cannot be read']
    faults.push(...page.right.breaks.map((found) => `I3: record: ${JSON.stringify(found)}`))
  }
  const count = (entries: readonly AuditEntry[], ...whats: readonly string[]): number =>
    entries.filter(({ what }) => whats.includes(what)).length
  for (const { key, found, account } of all) {
    const sealed = await answer(stores.auditTrail.sealed(key, 0, 1000))
    const entries = sealed.map(({ entry }) => entry)
    const number = key.externalAccountNumber
    const stagings = count(entries, 'staged', 'restaged')
    if (stagings !== (found?.stagedVersion ?? 0))
      faults.push(`I3: ${number}: ${stagings} entries of ${found?.stagedVersion} stagings`)
    const creations = count(entries, 'created')
    if (creations !== (account === undefined ? 0 : 1)) faults.push(`I3: ${number}: ${creations} creations`)
  }
  return faults
}
