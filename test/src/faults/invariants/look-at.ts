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
import type { Sent } from './sent.js'

/** All that the stores say of one pair of supplier and number. */
export type Looked = Readonly<{
  key: AccountKey
  found: AccountImport | undefined
  staged: Readonly<{ version: number; payload: string }> | undefined
  account: Account | undefined
  emails: readonly CustomerEmail[]
}>

/** More than a test makes. */
const limit = 1000

/** The pairs of a supplier: those that the stores list, and those that were sent. */
const keysOf = async (
  { accountImports }: Ports,
  { organisation, code: importSupplier }: ImportSupplier,
  sent: Sent,
): Promise<readonly AccountKey[]> => {
  const listed = await answer(
    accountImports.page({ organisation, importSupplier, list: 'all', after: undefined, limit }),
  )
  const own = listed.map(({ externalAccountNumber }) => ({
    organisation,
    importSupplier,
    externalAccountNumber,
  }))
  const others = [...sent.keys.values()].filter((key) => key.importSupplier === importSupplier)
  return [...new Map([...own, ...others].map((key) => [accountKeyText(key), key])).values()]
}

/** A supplier and all that is known of it. */
export type LookedSupplier = Readonly<{ supplier: ImportSupplier; looked: readonly Looked[] }>

const lookAtSupplier = async (
  ports: Ports,
  supplier: ImportSupplier,
  sent: Sent,
): Promise<LookedSupplier> => {
  const { organisation, code: importSupplier } = supplier
  const emails = await answer(
    ports.outbox.page({ organisation, importSupplier, list: undefined, after: undefined, limit }),
  )
  const looked: Looked[] = []
  for (const key of await keysOf(ports, supplier, sent))
    looked.push({
      key,
      found: await answer(ports.accountImports.find(key)),
      staged: await answer(ports.accountImports.staged(key)),
      account: await answer(ports.accounts.find(key)),
      emails: emails.filter((email) => accountKeyText(email.key) === accountKeyText(key)),
    })
  return { supplier, looked }
}

/** All that is behind the ports of imports and accounts. Nothing else may be going on meanwhile. */
export const lookAt = async (ports: Ports, sent: Sent): Promise<readonly LookedSupplier[]> => {
  const all: LookedSupplier[] = []
  for (const supplier of await answer(ports.importSuppliers.list()))
    all.push(await lookAtSupplier(ports, supplier, sent))
  return all
}
