import { importColumns } from '../rows/account-imports.js'
import { tables } from '../rows/tables.js'
import type { Break } from './break-kinds.js'
import { cursor, isWrittenLater, lowestNumber, type Source } from './cursor.js'
import { emailBreaks, type VerifiedEmail } from './email-breaks.js'
import { accountBreaks, importBreaks, type AccountOfImport, type VerifiedImport } from './import-breaks.js'
import type { Look } from './look.js'
import { importKeyOf } from '../rows/import-key.js'
import { verifiedPayload } from './verified-payload.js'
import { accountsByImport, inOrderOf, isLacking, primaryKey } from './in-order-of.js'

const columns = {
  imports:
    `${importColumns.join(', ')}, state, first_staged_at, staged_at, holds_slot, payload_removed_at, data_key, ` +
    'CASE WHEN platform_account_number IS NULL THEN payload END AS payload, ' +
    'CASE WHEN payload IS NULL THEN 0 ELSE 1 END AS has_payload',
  accounts: 'external_account_number, platform_account_number, staged_version, created_at',
  emails: 'external_account_number, platform_account_number, state, due_at, claim_token, settled_at',
}

const decrypted = async ({ dataKeys }: Look, row: VerifiedImport): Promise<VerifiedImport> => ({
  ...row,
  payload: await verifiedPayload(dataKeys, importKeyOf(row), row.payload, row.data_key),
})

/** The imports, accounts and e-mails of one external number. */
type Group = Readonly<{
  imports: readonly VerifiedImport[]
  accounts: AccountOfImport[]
  emails: VerifiedEmail[]
}>

const kindsOf = ({ imports: [row], accounts, emails }: Group, look: Look): readonly Break['kind'][] => [
  ...(row === undefined ? [] : importBreaks(row, look.now)),
  ...accountBreaks(row, accounts),
  ...emails.flatMap((email) => emailBreaks(email, accounts)),
]

/**
 * Walks over imports, accounts and e-mails together, in the order of the external account number. Each table is read
 * once, a page at a time.
 */
export async function* verifyImports(look: Look): AsyncGenerator<Break> {
  const key = ['external_account_number'] as const
  const importSource: Source = {
    columns: columns.imports,
    from: inOrderOf(look, tables.accountImports, primaryKey),
    key,
  }
  const accountSource: Source = {
    columns: columns.accounts,
    from: inOrderOf(look, tables.accounts, accountsByImport),
    // Without the index a number may have several accounts; with it, asking for more than its own order would sort all rows.
    key: isLacking(look, tables.accounts, accountsByImport) ? [...key, 'platform_account_number'] : key,
  }
  const emailSource: Source = {
    columns: columns.emails,
    from: inOrderOf(look, tables.customerEmails, primaryKey),
    key,
  }
  const isLater = await isWrittenLater(look, [importSource, accountSource, emailSource])
  const imports = cursor<VerifiedImport>(look, importSource)
  const accounts = cursor<AccountOfImport>(look, accountSource)
  const emails = cursor<VerifiedEmail>(look, emailSource)
  for (;;) {
    const number = await lowestNumber([imports, accounts, emails])
    if (number === undefined || isLater(number)) return
    const found: VerifiedImport[] = []
    await imports.each(number, (row) => found.push(row))
    const group: Group = {
      imports: await Promise.all(found.map((row) => decrypted(look, row))),
      accounts: [],
      emails: [],
    }
    await accounts.each(number, (row) => group.accounts.push(row))
    await emails.each(number, (row) => group.emails.push(row))
    look.count('imports', group.imports.length)
    look.count('emails', group.emails.length)
    const { organisation, import_supplier: importSupplier } = look.supplier
    const platform = group.imports[0]?.platform_account_number ?? group.accounts[0]?.platform_account_number
    for (const kind of kindsOf(group, look))
      yield {
        kind,
        organisation,
        importSupplier,
        externalAccountNumber: number,
        platformAccountNumber: platform,
      }
  }
}
