import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { E } from '../fp.js'
import type { Staging } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import {
  aCreation,
  after,
  aSmallAccount,
  aStaging,
  claimed,
  created,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  start,
  tagsOf,
} from './builders.js'
import { casesOf, type ContractCase, equal, left, right } from './contract-case.js'
import { aFullAccount } from './full-account.js'
import { payloadOf } from './payload-of.js'

/** Stages the payload of the account, and creates the account in the same change. */
const stagingOf = (account: Account, changed: Partial<Staging> = {}): Staging => {
  const { key, createdAt, platformAccountNumber, operationsTeam } = account
  const creation = { platformAccountNumber, operationsTeam }
  return { ...aStaging(key, payloadOf(account), createdAt), creation, ...changed }
}

const stage = async (ports: StorePorts, ...stagings: readonly Staging[]) =>
  right(ports.accountImports.stage(stagings))

/** Staging data and creating its account in one change. */
export const stagedCreationCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('AccountImports', {
    'a staging with a creation stores the data and creates its account, also where data was staged before':
      async (ports) => {
        const supplier = await freshSupplier(ports)
        const [fresh, again] = [keyOf(supplier, 'fresh'), keyOf(supplier, 'again')]
        await stage(ports, aStaging(again))
        const failure = { code: 'error', at: start }
        await right(ports.accountImports.release([{ key: again, failure }]))
        const accounts = [aFullAccount(fresh, after(1)), aFullAccount(again, after(1))]
        equal(await stage(ports, ...accounts.map((account) => stagingOf(account))), [
          { _tag: 'created', version: 1 },
          { _tag: 'replaced', version: 2 },
        ])
        for (const [index, account] of accounts.entries()) {
          const stagedVersion = index + 1
          const { key, platformAccountNumber, createdAt } = account
          equal(await right(ports.accounts.find(key)), { ...account, stagedVersion })
          equal(await right(ports.accountImports.find(key)), {
            key,
            stagedVersion,
            skipped: false,
            claim: undefined,
            attempts: stagedVersion,
            latestFailure: undefined,
            created: { platformAccountNumber, createdAt, stagedVersion },
          })
          equal((await right(ports.accountImports.staged([key])))[0]?.payload, payloadOf(account))
        }
      },
    'data that was not validated becomes an account too, because its caller validated it': async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      equal(tagsOf(await stage(ports, stagingOf(account, { validatedUnder: undefined }))), ['created'])
      equal(await right(ports.accounts.find(account.key)), account)
    },
    'refused stagings create nothing, and others of their list do': async (ports) => {
      const supplier = await freshSupplier(ports)
      const [busy, skipped, done, fresh] = ['d', 'c', 'b', 'a'].map((name) => keyOf(supplier, name)) as [
        AccountKey,
        AccountKey,
        AccountKey,
        AccountKey,
      ]
      const token = await claimed(ports, busy)
      await right(ports.accountImports.setSkipped(skipped, true, start))
      const { platformAccountNumber } = await created(ports, aSmallAccount(done))
      const accounts = [busy, skipped, done, fresh].map((key) => aSmallAccount(key, undefined, after(1)))
      equal(await stage(ports, ...accounts.map((account) => stagingOf(account))), [
        { _tag: 'in_progress' },
        { _tag: 'marked_to_skip' },
        { _tag: 'already_imported', platformAccountNumber },
        { _tag: 'created', version: 1 },
      ])
      equal((await right(ports.accountImports.find(busy)))?.claim?.token, token)
      equal((await right(ports.accountImports.staged([skipped])))[0], undefined)
      const numbers = await Promise.all(
        accounts.map(async ({ key }) => (await right(ports.accounts.find(key)))?.platformAccountNumber),
      )
      equal(numbers, [undefined, undefined, platformAccountNumber, accounts[3]?.platformAccountNumber])
    },
    'a staging with a creation that is repeated is refused as imported, and changes nothing': async (
      ports,
    ) => {
      const account = aSmallAccount(await freshKey(ports))
      const { key, platformAccountNumber } = account
      await stage(ports, stagingOf(account))
      const before = await right(ports.accountImports.find(key))
      const other = aSmallAccount(key, undefined, after(5))
      for (const again of [account, other])
        equal(await stage(ports, stagingOf(again)), [{ _tag: 'already_imported', platformAccountNumber }])
      equal(await right(ports.accountImports.find(key)), before)
      equal(await right(ports.accounts.find(key)), account)
    },
    'an expired claim does not refuse a staging with a creation, and ends': async (ports) => {
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      const account = aSmallAccount(key, undefined, after(60))
      equal(tagsOf(await stage(ports, stagingOf(account))), ['replaced'])
      const found = await right(ports.accountImports.find(key))
      equal([found?.claim, found?.attempts], [undefined, 2])
      const late = { ...aCreation(key, after(61)), token }
      equal(tagsOf(await right(ports.accountImports.create([late]))), ['already_imported'])
    },
    'a number that another account has fails its own item alone, which stores nothing': async (ports) => {
      const { platformAccountNumber } = await created(ports, aSmallAccount(await freshKey(ports)))
      const supplier = await freshSupplier(ports)
      const [taken, fine] = [keyOf(supplier, 'taken'), keyOf(supplier, 'fine')]
      await stage(ports, aStaging(taken, '{"before":1}'))
      const outcomes = await stage(
        ports,
        stagingOf(aSmallAccount(taken, platformAccountNumber)),
        stagingOf(aSmallAccount(fine)),
      )
      equal(tagsOf(outcomes), ['failed', 'created'])
      equal((await right(ports.accountImports.staged([taken])))[0], { version: 1, payload: '{"before":1}' })
      equal(await right(ports.accounts.find(taken)), undefined)
      equal((await right(ports.accounts.find(fine)))?.key, fine)
    },
    'the account of a staging with a creation belongs to the run that staged it': async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      const importRun = freshCode('run')
      await stage(ports, stagingOf(account, { importRun }))
      equal(await right(ports.accounts.find(account.key)), { ...account, importRun })
    },
    'exactly one of many concurrent stagings with a creation of one account creates it': async (ports) => {
      const key = await freshKey(ports)
      const accounts = Array.from({ length: 20 }, (_, index) => {
        const account = aSmallAccount(key)
        return { ...account, details: { ...account.details, billing_name: `${index}` } }
      })
      const outcomes = (await Promise.all(accounts.map((account) => stage(ports, stagingOf(account))))).flat()
      const places = [...outcomes.keys()].filter((index) => outcomes[index]?._tag === 'created')
      equal(places.length, 1)
      const account = accounts[places[0] ?? 0]
      equal(await right(ports.accounts.find(key)), account)
      const platformAccountNumber = account?.platformAccountNumber
      for (const outcome of outcomes)
        if (outcome._tag !== 'created') equal(outcome, { _tag: 'already_imported', platformAccountNumber })
    },
    'items can be added to an account that was created with its staging, and it can be undone': async (
      ports,
    ) => {
      const account = aSmallAccount(await freshKey(ports))
      const { organisation, importSupplier, externalAccountNumber } = account.key
      const { platformAccountNumber } = account
      await stage(ports, stagingOf(account))
      const locked = await right(
        ports.unitOfWork.run(organisation, ({ accounts }) => accounts.lock(account.key)),
      )
      equal(locked, { key: account.key, platformAccountNumber })
      const request = {
        organisation,
        importSupplier,
        externalAccountNumbers: [externalAccountNumber],
        withAdditions: false,
        at: after(9),
      }
      const previewed = [{ platformAccountNumber, additions: 0 }]
      const undone = await right(ports.accountUndo.undo({ ...request, previewed }))
      equal(undone, [{ _tag: 'undoable', platformAccountNumber, additions: 0 }])
      equal(await stage(ports, stagingOf(account)), [{ _tag: 'created', version: 1 }])
    },
  }),
  ...casesOf<StorePorts>('UnitOfWork', {
    'a Left rolls back a staging with a creation': async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      const staging = stagingOf(account)
      await left(
        ports.unitOfWork.run(account.key.organisation, async ({ accountImports }) =>
          E.swap(await accountImports.stage([staging])),
        ),
      )
      equal(await right(ports.accountImports.find(account.key)), undefined)
      equal(await stage(ports, staging), [{ _tag: 'created', version: 1 }])
      equal(await right(ports.accounts.find(account.key)), account)
    },
  }),
]
