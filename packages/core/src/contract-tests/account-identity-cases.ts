import type { AccountKey } from '../domain/account-import.js'
import type { StorePorts } from '../ports/index.js'
import { aClaim, aSmallAccount, after, aStaging, created, freshCode, start } from './builders.js'
import { equal, right, type ContractCase } from './contract-case.js'
import { anEmail } from './email-builders.js'
import { lookAlikes } from './look-alikes.js'

/** Keys that differ in one part only, by texts that an inexact comparison treats as equal. */
const keysAlike = (part: keyof AccountKey): readonly AccountKey[] => {
  const key: AccountKey = {
    organisation: freshCode('org'),
    importSupplier: freshCode('sup'),
    externalAccountNumber: freshCode('n'),
  }
  return lookAlikes(key[part]).map((alike) => ({ ...key, [part]: alike }))
}

/** Later than any time at which other cases claim e-mails. */
const lateEnough = after(400_000_000)

const parts = ['organisation', 'importSupplier', 'externalAccountNumber'] as const

/** The rows of each page of the key's supplier, by account number. */
const pages = async (ports: StorePorts, { organisation, importSupplier }: AccountKey) => {
  const request = { organisation, importSupplier, after: undefined, limit: 100 }
  const [imports, documents, emails] = await Promise.all([
    right(ports.accountImports.page({ ...request, list: 'all' })),
    right(ports.documentReferences.page(request)),
    right(ports.outbox.page({ ...request, list: undefined })),
  ])
  return [imports, documents, emails.map(({ key }) => key)].map((page) =>
    page.map(({ externalAccountNumber }) => externalAccountNumber),
  )
}

/** Imports, accounts and e-mails are identified by their whole key, which is compared exactly. */
export const accountIdentityCases: readonly ContractCase<StorePorts>[] = parts.flatMap((part) => [
  {
    port: 'AccountImports',
    title: `imports whose keys look alike in their ${part} are different`,
    run: async ({ accountImports }: StorePorts) => {
      const keys = keysAlike(part)
      for (const [index, key] of keys.entries()) {
        equal(await right(accountImports.find(key)), undefined)
        equal(await right(accountImports.staged([key])), [undefined])
        equal(await right(accountImports.claim([aClaim(key, 'none')])), [{ _tag: 'not_staged' }])
        equal(await right(accountImports.stage([aStaging(key, `${index}`)])), [
          { _tag: 'created', version: 1 },
        ])
      }
      const [marked, claimed, ...others] = keys as readonly [AccountKey, AccountKey, ...AccountKey[]]
      await right(accountImports.setSkipped(marked, true, start))
      const token = freshCode('token')
      await right(accountImports.claim([aClaim(claimed, token)]))
      for (const key of others) {
        const found = await right(accountImports.find(key))
        equal([found?.key, found?.skipped, found?.claim, found?.attempts], [key, false, undefined, 0])
      }
      for (const [index, key] of keys.entries())
        equal(await right(accountImports.staged([key])), [{ version: 1, payload: `${index}` }])
      await right(accountImports.release([{ key: claimed, token }]))
    },
  },
  {
    port: 'Accounts',
    title: `accounts and e-mails whose keys look alike in their ${part} are different, on all pages too`,
    run: async (ports: StorePorts) => {
      const { accountImports, accounts, outbox, unitOfWork } = ports
      const keys = keysAlike(part)
      await right(accountImports.stage(keys.map((key) => aStaging(key, '{}'))))
      for (const key of keys) {
        equal(await right(accounts.find(key)), undefined)
        equal(await right(unitOfWork.run(key.organisation, (stores) => stores.accounts.lock(key))), undefined)
        const account = await created(ports, aSmallAccount(key))
        equal(await right(accounts.find(key)), account)
        const email = anEmail(key, lateEnough)
        await right(outbox.enqueue([email]))
        equal((await right(outbox.find(email.id)))?.key, key)
      }
      const numbers = keys.map(({ externalAccountNumber }) => externalAccountNumber)
      for (const key of keys) {
        const expected = part === 'externalAccountNumber' ? numbers : [key.externalAccountNumber]
        equal(await pages(ports, key), [expected, expected, expected])
      }
    },
  },
])
