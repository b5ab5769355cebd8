import type { Client } from '@account-import/client'
import type {
  Account,
  AccountImport,
  AccountKey,
  CustomerEmail,
  ImportSupplier,
  Ports,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import type { Requests } from '../loads/requests.js'
import type { Tally } from '../loads/tally.js'

/** The data behind the ports, and the requests and answers of clients. */
export type Held = Readonly<{
  ports: Ports
  tally: Tally
  /** The database that servers share. */
  database?: SharedDatabase
  /** The servers that can be called, and additions that can be repeated. */
  clients?: readonly Client[]
  requests?: Pick<Requests, 'repeats'>
}>

/** All data of the stores about one pair of supplier and number. */
export type Looked = Readonly<{
  key: AccountKey
  found: AccountImport | undefined
  staged: Readonly<{ version: number; payload: string }> | undefined
  account: Account | undefined
  emails: readonly CustomerEmail[]
}>

export type LookedSupplier = Readonly<{ supplier: ImportSupplier; looked: readonly Looked[] }>

const limit = 1000

/** Page after page, each after the number of the last one before. */
const allOf = async <Item>(
  page: (after: string | undefined) => Promise<readonly Item[]>,
  numberOf: (item: Item) => string,
): Promise<readonly Item[]> => {
  const items: Item[] = []
  for (;;) {
    const last = items.at(-1)
    const found = await page(last === undefined ? undefined : numberOf(last))
    items.push(...found)
    if (found.length < limit) return items
  }
}

export const numbersIn = async (
  { accountImports }: Ports,
  { organisation, code: importSupplier }: ImportSupplier,
  list: 'all' | 'pending' | 'imported',
): Promise<readonly string[]> => {
  const listed = await allOf(
    (after) => answer(accountImports.page({ organisation, importSupplier, list, after, limit })),
    ({ externalAccountNumber }) => externalAccountNumber,
  )
  return listed.map(({ externalAccountNumber }) => externalAccountNumber)
}

/** The pairs of a supplier: those that the stores list, and those that were sent. */
const keysOf = async (
  ports: Ports,
  supplier: ImportSupplier,
  tally: Tally,
): Promise<readonly AccountKey[]> => {
  const { organisation, code: importSupplier } = supplier
  const own = (await numbersIn(ports, supplier, 'all')).map((externalAccountNumber) => ({
    organisation,
    importSupplier,
    externalAccountNumber,
  }))
  const others = [...tally.keys.values()].filter((key) => key.importSupplier === importSupplier)
  return [...new Map([...own, ...others].map((key) => [accountKeyText(key), key])).values()]
}

/** The e-mails of a supplier, in the order of the numbers of accounts. */
export const emailsOf = (
  { outbox }: Ports,
  { organisation, code: importSupplier }: Pick<ImportSupplier, 'organisation' | 'code'>,
): Promise<readonly CustomerEmail[]> =>
  allOf(
    (after) => answer(outbox.page({ organisation, importSupplier, list: undefined, after, limit })),
    ({ key }) => key.externalAccountNumber,
  )

const stagedOf = async ({ accountImports }: Ports, key: AccountKey): Promise<Looked['staged']> => {
  const [staged] = await answer(accountImports.staged([key]))
  if (staged?.failure !== undefined) throw new Error('staged data is not readable', { cause: staged.failure })
  return staged
}

const atOnce = 16

const lookAtSupplier = async (
  ports: Ports,
  supplier: ImportSupplier,
  tally: Tally,
): Promise<LookedSupplier> => {
  const emails = new Map<string, CustomerEmail[]>()
  for (const email of await emailsOf(ports, supplier)) {
    const number = accountKeyText(email.key)
    emails.set(number, [...(emails.get(number) ?? []), email])
  }
  const keys = await keysOf(ports, supplier, tally)
  const looked: Looked[] = []
  for (let begin = 0; begin < keys.length; begin += atOnce) {
    const together = keys.slice(begin, begin + atOnce).map(async (key): Promise<Looked> => ({
      key,
      found: await answer(ports.accountImports.find(key)),
      staged: await stagedOf(ports, key),
      account: await answer(ports.accounts.find(key)),
      emails: emails.get(accountKeyText(key)) ?? [],
    }))
    looked.push(...(await Promise.all(together)))
  }
  return { supplier, looked }
}

/** All data behind the ports of imports and accounts. Nothing else may run meanwhile. */
export const lookAt = async (ports: Ports, tally: Tally): Promise<readonly LookedSupplier[]> => {
  const all: LookedSupplier[] = []
  for (const supplier of await answer(ports.importSuppliers.listAll()))
    all.push(await lookAtSupplier(ports, supplier, tally))
  return all
}
