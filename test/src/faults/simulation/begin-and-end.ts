import { makeUseCases, type Ports, type SupplierSettings } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import type { SettableClock } from '../../use-cases/support/service.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { lookAt } from '../invariants/look-at.js'
import { nothingSent } from '../invariants/sent.js'
import { importSupplier, keyOf, organisation, team, type Known } from './client.js'
import { numbers } from './plan.js'

/** What an operator makes before clients can begin. */
export const prepared = async (ports: Ports): Promise<Known> => {
  const { operator } = makeUseCases(ports)
  const change = (settings: SupplierSettings) => ({ ...settings, migrationEmails: true })
  await answer(operator.createOrganisation({ code: organisation }))
  await answer(operator.createSupplier({ code: importSupplier, organisation }))
  await answer(operator.createTeam(team))
  await answer(operator.configureSupplier({ code: importSupplier, change }))
  const { apiKey } = await answer(operator.createApiKey({ organisation }))
  let names = 0
  return {
    sent: nothingSent(numbers.map(keyOf)),
    apiKey,
    stagings: new Map(),
    domains: new Map(),
    keptAnswers: new Map(),
    violations: [],
    counts: { requests: 0, acknowledged: 0, failed: 0 },
    nextName: () => `name-${(names += 1)}`,
  }
}

/** Accounts that are there without their imports or the other way round, while clients are at work. */
export const halfThere = async ({ accountImports, accounts }: Ports): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const number of numbers) {
    const account = await answer(accounts.find(keyOf(number)))
    const created = (await answer(accountImports.find(keyOf(number))))?.created
    if (account?.platformAccountNumber !== created?.platformAccountNumber)
      faults.push(`I3, I4: ${number} is half there`)
  }
  return faults
}

/** Stagings and changes of settings that were acknowledged and are not there, or are there though nobody sent them. */
const lostUpdates = async (ports: Ports, { sent, stagings, domains }: Known): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const number of numbers) {
    const version = (await answer(ports.accountImports.staged(keyOf(number))))?.version ?? 0
    const acknowledged = stagings.get(number) ?? 0
    if (version < acknowledged || version > sent.payloadsOf(keyOf(number)).length)
      faults.push(`I2: ${number} was staged ${version} times, acknowledged were ${acknowledged}`)
  }
  const supplier = await answer(ports.importSuppliers.findByCode(importSupplier))
  const saved = supplier?.settings.internalEmailDomains ?? []
  for (const [domain, isAcknowledged] of domains) {
    const times = saved.filter((each) => each === domain).length
    if (times > 1 || (times === 0 && isAcknowledged)) faults.push(`I2: ${domain} is saved ${times} times`)
  }
  return faults
}

/** More than a claim or a lease lasts. */
const expirySeconds = 300

/** When all claims have expired, everything that is staged can be created. */
const whatCannotGoOn = async (ports: Ports): Promise<readonly string[]> => {
  const { operator, processAccount } = makeUseCases(ports)
  await answer(operator.setSupplierStatus({ code: importSupplier, status: 'ongoing' }))
  const faults: string[] = []
  for (const number of numbers) {
    const found = await answer(ports.accountImports.find(keyOf(number)))
    if (found === undefined || found.created !== undefined || found.stagedVersion === 0) continue
    await answer(operator.setSkipped({ importSupplier, externalAccountNumber: number, skipped: false }))
    const payload = {
      import_supplier_code: importSupplier,
      external_account_number: number,
      operations_team_name: team,
    }
    const processed = await processAccount({ organisation, payload })()
    if (E.isLeft(processed)) faults.push(`I4: ${number} cannot be created any more: ${processed.left._tag}`)
  }
  return faults
}

const broken = async (ports: Ports, { sent }: Known): Promise<readonly string[]> =>
  brokenInvariants(ports, await lookAt(ports, sent), sent)

/** What is wrong when all clients have ended, and when their work was then brought to its end. */
export const faultsAtTheEnd = async (
  ports: Ports,
  clock: SettableClock,
  known: Known,
): Promise<readonly string[]> => {
  const left = [...(await broken(ports, known)), ...(await lostUpdates(ports, known))]
  clock.pass(expirySeconds)
  return [...left, ...(await whatCannotGoOn(ports)), ...(await broken(ports, known))]
}
