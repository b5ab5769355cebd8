import type {
  AccountPayload,
  HistoricalStatementsRequest,
  NotesRequest,
  PaymentInstructionRequest,
  ProcessRequest,
  TransactionsRequest,
} from '@account-import/core'
import type {
  AccountImportSummary,
  AddedNotes,
  AddedPaymentInstruction,
  AddedTransactions,
  CreatedAccount,
  EchoedStatements,
  ListedImport,
  StagedAccount,
  TransferStatusBody,
} from '@account-import/http-contract'
import { accountImportLists, endpoints } from '@account-import/http-contract'
import { accountImportPages, type ListRequest, type PagesRequest } from './account-import-pages.js'
import { makeAuthorized } from './authorized.js'
import { makeBulkMethods, type BulkMethods } from './bulk/bulk-methods.js'
import type { CalledEndpoint } from './called-endpoint.js'
import { makeCaller } from './caller.js'
import type { JsonObject } from './json-object.js'
import type { KeyedOptions } from './keyed-options.js'
import { obtainToken } from './obtain-token.js'
import { repeated } from './repeated.js'
import type { Result } from './result.js'
import { transactionsSearch, type TransactionOptions } from './transaction-options.js'
import { makeTokenKeeper } from './token-keeper.js'

export type ClientOptions = Readonly<{
  /** Where the service is, with its base path: `https://import.example/imports`. */
  baseUrl: string
  apiKey: string
  /** The platform's own by default. */
  fetch?: typeof globalThis.fetch
}>

/**
 * The service's API. Every method answers a `Result` and never rejects. Tokens are obtained and renewed along
 * the way. A request is repeated once after its token was refused; besides, only one with an idempotency key is repeated, and
 * those of bulk methods, which may be.
 */
export type Client = BulkMethods &
  Readonly<{
    validateAccount: (
      account: AccountPayload | JsonObject,
      options?: KeyedOptions,
    ) => Promise<Result<JsonObject>>
    stageAccount: (
      account: AccountPayload | JsonObject,
      options?: KeyedOptions,
    ) => Promise<Result<StagedAccount>>
    processAccount: (
      request: ProcessRequest | JsonObject,
      options?: KeyedOptions,
    ) => Promise<Result<CreatedAccount>>
    /** Adds notes to a created account: one outcome for each, in their order. */
    addNotes: (request: NotesRequest | JsonObject, options?: KeyedOptions) => Promise<Result<AddedNotes>>
    /** Adds bills from before the migration to a created account, all or none, and gives them back as accepted. */
    addHistoricalStatements: (
      request: HistoricalStatementsRequest | JsonObject,
      options?: KeyedOptions,
    ) => Promise<Result<EchoedStatements>>
    /** Adds an instruction, which its payment vendor is asked for, to a created account. Takes up to 6 seconds. */
    addPaymentInstruction: (
      request: PaymentInstructionRequest | JsonObject,
      options?: KeyedOptions,
    ) => Promise<Result<AddedPaymentInstruction>>
    /** Adds transactions to a created account, in their order, up to the first that fails: one result for each. */
    addTransactions: (
      request: TransactionsRequest | JsonObject,
      options?: TransactionOptions & KeyedOptions,
    ) => Promise<Result<AddedTransactions>>
    transferStatus: (
      importSupplier: string,
      externalAccountNumber: string,
    ) => Promise<Result<TransferStatusBody>>
    /** How many imports of the supplier are in each state. */
    accountImportSummary: (importSupplier: string) => Promise<Result<AccountImportSummary>>
    /** The whole list in one answer. */
    listAccountImports: (request: ListRequest) => Promise<Result<readonly ListedImport[]>>
    /** The list page by page; after a failure nothing more comes. */
    accountImportPages: (request: PagesRequest) => AsyncIterable<Result<readonly ListedImport[]>>
  }>

export const createClient = ({ baseUrl, apiKey, fetch = globalThis.fetch }: ClientOptions): Client => {
  const base = baseUrl.replace(/\/+$/, '')
  const authorized = makeAuthorized(
    fetch,
    makeTokenKeeper(apiKey, (input) => obtainToken(fetch, base, input)),
  )
  const call = makeCaller(authorized, base)
  const submit =
    <Success>(
      endpoint: CalledEndpoint<Success>,
      searchOf: (options: TransactionOptions) => string = () => '',
    ) =>
    (body: unknown, options: TransactionOptions & KeyedOptions = {}): Promise<Result<Success>> => {
      const sent = { search: searchOf(options), body, idempotencyKey: options.idempotencyKey }
      return repeated(async () => (await call(endpoint, sent)).result, options)
    }
  return {
    validateAccount: submit(endpoints.validateAccount),
    stageAccount: submit(endpoints.stageAccount),
    processAccount: submit(endpoints.processAccount),
    addNotes: submit(endpoints.addNotes),
    addHistoricalStatements: submit(endpoints.addHistoricalStatements),
    addPaymentInstruction: submit(endpoints.addPaymentInstruction),
    addTransactions: submit(endpoints.addTransactions, transactionsSearch),
    transferStatus: async (importSupplier, externalAccountNumber) => {
      const params = {
        import_supplier_code: importSupplier,
        external_account_number: externalAccountNumber,
      }
      return (await call(endpoints.transferStatus, { params })).result
    },
    accountImportSummary: async (importSupplier) =>
      (await call(endpoints.accountImportSummary, { params: { import_supplier_code: importSupplier } }))
        .result,
    listAccountImports: async ({ importSupplier, list }) => {
      const params = { import_supplier_code: importSupplier }
      return (await call(accountImportLists[list], { params })).result
    },
    accountImportPages: (request) => accountImportPages(call, request),
    ...makeBulkMethods(authorized, base),
  }
}
