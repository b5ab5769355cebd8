import type { AccountKey } from '../domain/account-import.js'
import type { AccountImport } from '../domain/account-import.js'
import { E } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
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
import { casesOf, equal, right } from './contract-case.js'

const failure = { code: 'error', at: after(1) }
const latestFailure = { code: 'error', occurredAt: after(1) }

/** Stages the key; its first attempt failed. */
const failedOnce = async (ports: StorePorts, key: AccountKey): Promise<void> => {
  const token = await claimed(ports, key)
  await right(ports.accountImports.release([{ key, token, failure }]))
}

/** The history of an import: attempts, the latest failure, the created account. */
export const historyCases = casesOf<StorePorts>('AccountImports', {
  'dry runs, marks and further stagings keep attempts and the latest failure': async (ports) => {
    const { accountImports } = ports
    const key = await freshKey(ports)
    await failedOnce(ports, key)
    const history = async () => {
      const found = await right(accountImports.find(key))
      return [found?.stagedVersion, found?.attempts, found?.latestFailure]
    }
    const token = freshCode('token')
    await right(accountImports.claim([{ ...aClaim(key, token, after(2)), countsAsAttempt: false }]))
    await right(accountImports.release([{ key, token }]))
    equal(await history(), [1, 1, latestFailure])
    for (const skipped of [true, false]) await right(accountImports.setSkipped(key, skipped, after(3)))
    equal(await history(), [1, 1, latestFailure])
    await right(accountImports.stage([aStaging(key, '{"b":2}', after(4))]))
    equal(await history(), [2, 1, latestFailure])
  },
  'a created import has the version of the staged data that the account was created from': async (ports) => {
    const key = await freshKey(ports)
    await right(ports.accountImports.stage([aStaging(key)]))
    const { platformAccountNumber } = await created(ports, aSmallAccount(key, undefined, after(1)))
    const expected = { platformAccountNumber, createdAt: after(1), stagedVersion: 2 }
    equal((await right(ports.accountImports.find(key)))?.created, expected)
  },
  'only the exact token of the claim creates its account or releases it': async (ports) => {
    const { accountImports } = ports
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    for (const other of [token.toUpperCase(), `${token} `, '']) {
      equal(await right(accountImports.create([{ ...aCreation(key), token: other }])), [
        { _tag: 'in_progress' },
      ])
      await right(accountImports.release([{ key, token: other, failure }]))
    }
    const found = await right(accountImports.find(key))
    equal([found?.claim?.token, found?.latestFailure, found?.created], [token, undefined, undefined])
  },
  'a list of creations has one outcome for each item, in its order; a list of releases is released whole':
    async (ports) => {
      const { accountImports } = ports
      const supplier = await freshSupplier(ports)
      const keys = ['c', 'a', 'b'].map((name) => keyOf(supplier, name))
      const tokens: string[] = []
      for (const key of keys) tokens.push(await claimed(ports, key))
      const creations = keys.map((key, index) => ({
        ...aCreation(key),
        token: index === 0 ? 'lost' : (tokens[index] ?? ''),
      }))
      equal(tagsOf(await right(accountImports.create(creations))), ['in_progress', 'created', 'created'])
      equal(await right(accountImports.create([])), [])
      const others = ['d', 'e'].map((name) => keyOf(supplier, name))
      const releases = []
      for (const key of others) releases.push({ key, token: await claimed(ports, key), failure })
      await right(accountImports.release(releases))
      for (const key of others) {
        const found = await right(accountImports.find(key))
        equal([found?.claim, found?.latestFailure], [undefined, latestFailure])
      }
    },
  'marking an import to be skipped ends an expired claim: its owner cannot create the account': async (
    ports,
  ) => {
    const { accountImports } = ports
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    equal(await right(accountImports.setSkipped(key, true, after(60))), 'changed')
    const creation = { ...aCreation(key, after(61)), token }
    equal(await right(accountImports.create([creation])), [{ _tag: 'marked_to_skip' }])
    const found = await right(accountImports.find(key))
    equal([found?.skipped, found?.claim, found?.created], [true, undefined, undefined])
    equal((await right(accountImports.staged([key])))[0]?.payload, '{"a":1}')
  },
  'removing a mark that does not exist creates no import': async (ports) => {
    const key = await freshKey(ports)
    equal(await right(ports.accountImports.setSkipped(key, false, start)), 'unchanged')
    equal(await right(ports.accountImports.find(key)), undefined)
  },
  'no import is left after a mark without data was removed': async (ports) => {
    const key = await freshKey(ports)
    for (const skipped of [true, false])
      equal(await right(ports.accountImports.setSkipped(key, skipped, start)), 'changed')
    equal(await right(ports.accountImports.find(key)), undefined)
  },
  'a unit of work reads its own changes': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const creation = { ...aCreation(key), token }
    const other = { ...key, externalAccountNumber: 'other' }
    const seen = await right(
      ports.unitOfWork.run(key.organisation, async ({ accountImports }) => {
        const first = await accountImports.create([creation])
        const second = await accountImports.create([creation])
        await accountImports.stage([aStaging(other, '{"o":1}')])
        const staged = await accountImports.staged([other])
        const found = await accountImports.find(key)
        return E.right({ first, second, staged, found })
      }),
    )
    equal(
      [seen.first, seen.second, E.map((found: AccountImport | undefined) => found?.claim)(seen.found)],
      [E.right([{ _tag: 'created' }]), E.right([{ _tag: 'created' }]), E.right(undefined)],
    )
    equal(seen.staged, E.right([{ version: 1, payload: '{"o":1}' }]))
  },
})
