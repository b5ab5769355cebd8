import type { MigrationNotice, PaymentVerification, Ports, SupplierSettings } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { inMemoryCustomerNotifier, inMemoryPorts } from '@account-import/core/in-memory'
import type { Scheduler } from 'fast-check'
import { answer } from '../../support/answers.js'
import { countedSecrets } from '../../use-cases/support/counted-secrets.js'
import { settableClock, type SettableClock } from '../../use-cases/support/service.js'
import { turn, turnsWithoutCalls } from '../faults/calls.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { emptyTally, type Tally } from '../loads/tally.js'
import {
  clientOf,
  importSupplier,
  keyOf,
  organisation,
  startServers,
  team,
  type Client,
  type Known,
} from './clients.js'
import { doCommand } from './commands.js'
import { numbers, type Command, type Plan } from './plan.js'

const verified: PaymentVerification = { _tag: 'verified', details: {} }

/** Ports in memory on which a run is always the same, with a clock that only the run moves. */
const deterministicPorts = (): Readonly<{ ports: Ports; clock: SettableClock }> => {
  const clock = settableClock()
  const notices: MigrationNotice[] = []
  let numbers = 0
  const ports = inMemoryPorts({
    clock,
    customerNotifier: inMemoryCustomerNotifier(notices),
    paymentVendors: {
      isRegistered: () => true,
      takesReference: () => true,
      verify: async () => E.right(verified),
    },
    platformAccountNumbers: { next: async () => E.right(`P-${(numbers += 1)}`) },
    secrets: countedSecrets(),
  })
  return { ports, clock }
}

/** The set-up by an operator before clients can begin. */
const prepared = async (ports: Ports): Promise<Known> => {
  const { operator } = makeUseCases(ports)
  const change = (settings: SupplierSettings) => ({ ...settings, migrationEmails: true })
  await answer(operator.createOrganisation({ code: organisation }))
  await answer(operator.createSupplier({ code: importSupplier, organisation }))
  await answer(operator.createTeam(team))
  await answer(operator.configureSupplier({ code: importSupplier, change }))
  const { apiKey } = await answer(operator.createApiKey({ organisation }))
  let names = 0
  return {
    tally: emptyTally(numbers.map(keyOf)),
    apiKey,
    domains: new Map(),
    idempotencyRecords: new Map(),
    nextName: () => `name-${(names += 1)}`,
  }
}

/** Accounts without their imports or the other way round, while clients are at work. */
const halfThere = async ({ accountImports, accounts }: Ports): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const number of numbers) {
    const account = await answer(accounts.find(keyOf(number)))
    const created = (await answer(accountImports.find(keyOf(number))))?.created
    if (account?.platformAccountNumber !== created?.platformAccountNumber)
      faults.push(`I3, I4: ${number} is half there`)
  }
  return faults
}

/** Acknowledged changes of settings that are missing, or are there twice. */
const lostUpdates = async (ports: Ports, { domains }: Known): Promise<readonly string[]> => {
  const supplier = await answer(ports.importSuppliers.findByCode(importSupplier))
  const saved = supplier?.settings.internalEmailDomains ?? []
  return [...domains].flatMap(([domain, isAcknowledged]) => {
    const times = saved.filter((each) => each === domain).length
    return times > 1 || (times === 0 && isAcknowledged) ? [`I2: ${domain} is saved ${times} times`] : []
  })
}

/** Longer than a claim or a lease. */
const expirySeconds = 300

/** When all claims have expired, all staged accounts can be created. */
const stuckAccounts = async (ports: Ports): Promise<readonly string[]> => {
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
    const processed = await processAccount({ organisation, payload })
    if (E.isLeft(processed)) faults.push(`I4: ${number} cannot be created any more: ${processed.left._tag}`)
  }
  return faults
}

/** The faults when all clients have ended, and again when their work is finished. */
const faultsAtTheEnd = async (
  ports: Ports,
  clock: SettableClock,
  known: Known,
): Promise<readonly string[]> => {
  const broken = () => brokenInvariants({ ports, tally: known.tally })
  const left = [...(await broken()), ...(await lostUpdates(ports, known))]
  clock.pass(expirySeconds)
  return [...left, ...(await stuckAccounts(ports)), ...(await broken())]
}

/** Seldom, because a check of all accounts takes as long as some ten calls. */
const stepsBetweenLooks = 20

/**
 * Runs one step after the other, in the order of the scheduler, until all clients have ended and no step is left; the data may be
 * checked between two steps.
 */
const runToEnd = async (
  scheduler: Scheduler,
  clients: Promise<unknown>,
  look: () => Promise<void>,
): Promise<void> => {
  let haveEnded = false
  const end = (): void => void (haveEnded = true)
  clients.then(end, end)
  let steps = 0
  for (let turns = 0; !haveEnded || turns < turnsWithoutCalls; turns += 1) {
    await turn()
    if (scheduler.count() === 0) continue
    if ((steps += 1) % stepsBetweenLooks === 0) await look()
    await scheduler.waitOne()
    turns = 0
  }
}

/** Runs the plan, with a planted fault, in the order of the scheduler; returns the faults. */
export const simulate = async (
  scheduler: Scheduler,
  plan: Plan,
  plant: (ports: Ports) => Ports = (ports) => ports,
): Promise<Readonly<{ injected: number; violations: readonly string[] }> & Tally['counts']> => {
  const { ports, clock } = deterministicPorts()
  const known = await prepared(ports)
  const servers = startServers(plant(ports), scheduler, plan)
  const live = async (client: Client, commands: readonly Command[]): Promise<void> => {
    for (const command of commands) {
      await scheduler.schedule(Promise.resolve(), `client ${client.ordinal}: ${command.does}`)
      await doCommand(client, command, clock)
    }
  }
  const lives = Promise.all(
    plan.clients.map((commands, ordinal) => live(clientOf(known, servers, ordinal), commands)),
  )
  await runToEnd(scheduler, lives, async () => void known.tally.violations.push(...(await halfThere(ports))))
  await lives
  const violations = [...known.tally.violations, ...(await faultsAtTheEnd(ports, clock, known))]
  return { injected: servers.injected(), ...known.tally.counts, violations }
}
