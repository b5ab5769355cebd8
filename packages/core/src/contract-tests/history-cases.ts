import type { AccountKey } from '../domain/account-import.js'
import { pipe, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  after,
  aStaging,
  claimed,
  completed,
  freshCode,
  freshKey,
  freshNumber,
  freshSupplier,
  keyOf,
  start,
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
    const platformAccountNumber = await completed(ports, key, after(1))
    const created = { platformAccountNumber, createdAt: after(1), stagedVersion: 2 }
    equal((await right(ports.accountImports.find(key)))?.created, created)
  },
  'only the exact token of the claim completes or releases it': async (ports) => {
    const { accountImports } = ports
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    for (const other of [token.toUpperCase(), `${token} `, '']) {
      const completion = { key, token: other, platformAccountNumber: freshNumber(), at: start }
      equal(await right(accountImports.complete([completion])), ['claim_lost'])
      await right(accountImports.release([{ key, token: other, failure }]))
    }
    const found = await right(accountImports.find(key))
    equal([found?.claim?.token, found?.latestFailure, found?.created], [token, undefined, undefined])
  },
  'a list of completions has one outcome for each item, in its order; a list of releases is released whole':
    async (ports) => {
      const { accountImports } = ports
      const supplier = await freshSupplier(ports)
      const keys = ['c', 'a', 'b'].map((name) => keyOf(supplier, name))
      const tokens: string[] = []
      for (const key of keys) tokens.push(await claimed(ports, key))
      const completions = keys.map((key, index) => ({
        key,
        token: index === 0 ? 'lost' : (tokens[index] ?? ''),
        platformAccountNumber: freshNumber(),
        at: start,
      }))
      equal(await right(accountImports.complete(completions)), ['claim_lost', 'completed', 'completed'])
      equal(await right(accountImports.complete([])), [])
      const others = ['d', 'e'].map((name) => keyOf(supplier, name))
      const releases = []
      for (const key of others) releases.push({ key, token: await claimed(ports, key), failure })
      await right(accountImports.release(releases))
      for (const key of others) {
        const found = await right(accountImports.find(key))
        equal([found?.claim, found?.latestFailure], [undefined, latestFailure])
      }
    },
  'marking an import to be skipped ends an expired claim: its owner cannot complete it': async (ports) => {
    const { accountImports } = ports
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    equal(await right(accountImports.setSkipped(key, true, after(60))), 'changed')
    const completion = { key, token, platformAccountNumber: freshNumber(), at: after(61) }
    equal(await right(accountImports.complete([completion])), ['claim_lost'])
    const found = await right(accountImports.find(key))
    equal([found?.skipped, found?.claim, found?.created], [true, undefined, undefined])
    equal((await right(accountImports.staged(key)))?.payload, '{"a":1}')
  },
  'removing a mark that does not exist creates no import': async (ports) => {
    const key = await freshKey(ports)
    equal(await right(ports.accountImports.setSkipped(key, false, start)), 'unchanged')
    equal(await right(ports.accountImports.find(key)), undefined)
  },
  'a unit of work reads its own changes': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const completion = { key, token, platformAccountNumber: freshNumber(), at: start }
    const other = { ...key, externalAccountNumber: 'other' }
    const seen = await right(
      ports.unitOfWork.run(({ accountImports }) =>
        pipe(
          TE.Do,
          TE.bind('first', () => accountImports.complete([completion])),
          TE.bind('second', () => accountImports.complete([completion])),
          TE.bind('outcomes', () => accountImports.stage([aStaging(other, '{"o":1}')])),
          TE.bind('staged', () => accountImports.staged(other)),
          TE.bind('found', () => accountImports.find(key)),
        ),
      ),
    )
    equal([seen.first, seen.second, seen.found?.claim], [['completed'], ['claim_lost'], undefined])
    equal(seen.staged, { version: 1, payload: '{"o":1}' })
  },
})
