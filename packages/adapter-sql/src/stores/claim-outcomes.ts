import type { ClaimOutcome, ClaimRequest } from '@account-import/core'
import { refusalOf } from '@account-import/core/adapter-kit'
import type { DataKeys } from '../encryption/data-keys.js'
import { accountImportOf, importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { payloadOf } from '../rows/kept-payload.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'

type ClaimedRow = ReadImportRow & Readonly<{ payload: string | null; data_key: string | null }>

/** The imports as they are now, and the payloads of those whose claims are ours. */
const readText = (count: number): string =>
  `SELECT ${importColumns.join(', ')}, CASE WHEN claim_token IN (${marks(count)}) THEN payload END AS payload, data_key ` +
  `FROM ${tables.accountImports} ` +
  `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${marks(count)})`

const outcomeOf = async (
  dataKeys: DataKeys,
  row: ClaimedRow | undefined,
  { key, token, at }: ClaimRequest,
): Promise<ClaimOutcome> => {
  if (row === undefined) return { _tag: 'not_staged' }
  const { payload, data_key } = row
  if (payload !== null && row.claim_token === token)
    return {
      _tag: 'claimed',
      version: row.staged_version,
      payload: await payloadOf(dataKeys, key, { payload, data_key }),
    }
  const refusal = refusalOf(accountImportOf(row), at)
  if (refusal !== undefined) return refusal
  // If the row gives no reason, another claim was the reason and has ended since; an account or a mark would be there.
  return { _tag: row.staged_version === 0 ? 'not_staged' : 'in_progress' }
}

/** What became of the claims that were asked for, from the imports as they are afterwards. Of one supplier. */
export const claimOutcomes = async (
  db: Statements,
  dataKeys: DataKeys,
  requests: readonly [ClaimRequest, ...ClaimRequest[]],
): Promise<readonly ClaimOutcome[]> => {
  const [{ key }] = requests
  const list = filledUp(requests)
  const rows = await selectRows<ClaimedRow>(db, readText(list.length), [
    ...list.map(({ token }) => token),
    key.organisation,
    key.importSupplier,
    ...list.map((request) => request.key.externalAccountNumber),
  ])
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  return Promise.all(
    requests.map((request) => outcomeOf(dataKeys, found.get(request.key.externalAccountNumber), request)),
  )
}
