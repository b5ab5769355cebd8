import type { BulkSource, Client, JsonObject } from '@account-import/client'
import type {
  AccountPayload,
  AccountToSend,
  BulkProcessRequest,
  HistoricalStatementsRequest,
  NotesRequest,
  PaymentInstructionRequest,
  ProcessRequest,
  Sendable,
  TransactionsRequest,
} from '@account-import/core'
import type {
  accountPayload,
  bulkProcessRequest,
  historicalStatementsRequest,
  notesRequest,
  paymentInstructionRequest,
  processRequest,
  transactionsRequest,
} from '@account-import/core/payloads'

/** An account in the types of another program. */
interface Moved {
  import_supplier: string
  external_account_number: string
  notes: { body: string; created_at: string }[]
  internal_id: number
}

/**
 * Compiled and never called: a client takes payloads whose fields it knows, own types that have them, and JSON of which nothing is
 * known. Each line that must not compile is an error of the build as soon as it does.
 */
export const onlyKnownFieldsAreSent = async (
  client: Client,
  moved: Moved,
  json: Readonly<Record<string, unknown>>,
  parsed: Readonly<{ account: string }>,
): Promise<void> => {
  const number = { import_supplier: 'S', external_account_number: 'N' }
  await client.stageAccount({ ...number, account_type: 'DOMESTIC' })
  // @ts-expect-error -- a field that is misspelt
  await client.stageAccount({ ...number, acount_type: 'DOMESTIC' })
  // @ts-expect-error -- a field that is misspelt, further down
  await client.stageAccount({ ...number, notes: [{ boddy: 'Hello' }] })
  // @ts-expect-error -- a value that the field cannot have
  await client.stageAccount({ ...number, account_type: 'HOME' })
  // @ts-expect-error -- a field is missing
  await client.stageAccount({ import_supplier: 'S' })
  // @ts-expect-error -- no account at all
  await client.stageAccount(parsed)
  await client.stageAccount(moved)
  await client.stageAccount(json)
  const request = { import_supplier_code: 'S', external_account_number: 'N', operations_team_name: 'T' }
  const { signal } = new AbortController()
  await client.processAccount({ ...request, dry_run: true }, { signal, silenceSeconds: 5 })
  // @ts-expect-error -- an option of transactions alone
  await client.processAccount(request, { checkPreviouslyAdded: false })
}

/** The same of accounts that are sent together. */
export const onlyKnownFieldsAreSentInBulk = async (
  client: Client,
  moved: AsyncIterable<Moved>,
  json: Iterable<Readonly<Record<string, unknown>>>,
  parsed: AsyncIterable<Readonly<{ account: string }>>,
  lines: AsyncIterable<string | Uint8Array>,
  [known, unknown]: readonly [BulkSource, BulkSource<JsonObject>],
): Promise<void> => {
  const number = { import_supplier: 'S', external_account_number: 'N' }
  client.bulkStage([{ ...number, account_type: 'DOMESTIC' }, '{}'])
  // @ts-expect-error -- a field that is misspelt
  client.bulkStage([{ ...number, acount_type: 'DOMESTIC' }])
  // @ts-expect-error -- a field that is misspelt, further down
  client.bulkValidate([{ ...number, notes: [{ boddy: 'Hello' }] }])
  // @ts-expect-error -- a field is missing
  client.bulkStage([{ import_supplier: 'S' }])
  // @ts-expect-error -- no accounts at all
  client.bulkStage(parsed)
  // @ts-expect-error -- a number is no line
  client.bulkStage([1])
  client.bulkStage(moved)
  client.bulkStage(json)
  client.bulkStage(known)
  client.bulkStage(unknown)
  client.bulkValidate(lines, { retrySeconds: 0 })
}

/** The type that embedding code builds payloads with: dates are plain texts, and a misspelt field does not compile. */
export const accountsToSend: readonly AccountToSend[] = [
  { import_supplier: 'S', external_account_number: 'N', payment_schedules: [] },
  {
    import_supplier: 'S',
    external_account_number: 'N',
    notes: [{ body: 'Hello', created_at: '2025-01-01T00:00:00Z' }],
  },
  // @ts-expect-error -- a field that is misspelt
  { import_suplier: 'S', external_account_number: 'N' },
]

type ValueRead<Codec extends Readonly<{ _A: unknown }>> = Codec['_A']
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never

/** The types that the build writes are those of the codecs. */
export const typesAreThoseOfTheCodecs: readonly true[] = [
  true satisfies Same<AccountPayload, ValueRead<typeof accountPayload>>,
  true satisfies Same<AccountToSend, Sendable<ValueRead<typeof accountPayload>>>,
  true satisfies Same<NotesRequest, ValueRead<typeof notesRequest>>,
  true satisfies Same<ProcessRequest, ValueRead<typeof processRequest>>,
  true satisfies Same<BulkProcessRequest, ValueRead<typeof bulkProcessRequest>>,
  true satisfies Same<TransactionsRequest, ValueRead<typeof transactionsRequest>>,
  true satisfies Same<HistoricalStatementsRequest, ValueRead<typeof historicalStatementsRequest>>,
  true satisfies Same<PaymentInstructionRequest, ValueRead<typeof paymentInstructionRequest>>,
]
