import {
  type AccountImportList,
  type AccountPayload,
  detailOf,
  type HistoricalStatementsRequest,
  type ImportRunRequest,
  type NotesRequest,
  type PaymentInstructionRequest,
  type ProcessRequest,
  type Sendable,
  type TransactionsRequest,
  type UndoAccountsRequest,
  type DismissalRequest,
  type UndoPreviewRequest,
} from '@account-import/core'
import {
  type AnswerOf,
  type Endpoint,
  endpoints,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
} from '@account-import/http-contract'
import { type BulkMethods, makeBulkMethods } from './bulk/bulk-methods.js'
import {
  addressOf,
  type Authorized,
  checkedBaseUrl,
  isFailure,
  limitedExchange,
  makeAuthorized,
  readAnswer,
  readWhole,
} from './exchange.js'
import { defaultRetrySeconds, defaultSilenceSeconds, Patience, waited } from './patience.js'
import {
  type CallOptions,
  explained,
  type Failure,
  type JsonObject,
  type KeyedOptions,
  ownFailure,
  type Result,
  serviceFailure,
  stopped,
  type TransactionOptions,
  type UntypedJson,
} from './result.js'

/** Retries a request with a key until its response is final or the time for retries has passed. Any 400 is final. */
const repeated = async <Body>(
  send: () => Promise<Result<Body>>,
  { idempotencyKey, retrySeconds = defaultRetrySeconds, signal }: KeyedOptions,
): Promise<Result<Body>> => {
  const patience = new Patience(retrySeconds)
  for (;;) {
    const result = await send()
    if (result.ok || result.status === 400 || idempotencyKey === undefined) return result
    const seconds = patience.wait(result)
    if (seconds === undefined) return result
    if (!(await waited(seconds, signal))) return stopped()
  }
}

/** The input of one call. `search` is a query with its question mark. */
type Sent = Readonly<{
  params?: Readonly<Record<string, string>>
  search?: string
  body?: unknown
  idempotencyKey?: string | undefined
  options?: CallOptions | undefined
}>

/** A result with the headers of its response, for links to further pages. */
type Called<Body> = Readonly<{ result: Result<Body>; headers: Headers | undefined }>

type Caller = <Success>(endpoint: Endpoint<Success>, sent: Sent) => Promise<Called<Success>>

const initOf = (method: string, { body, idempotencyKey }: Sent): RequestInit => ({
  method,
  headers: {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { [idempotencyKeyHeader]: idempotencyKey }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})

const failed = (failure: Failure): Called<never> => ({ result: failure, headers: undefined })

/** The refusal of the service, made here because a header cannot contain every text. */
const keyNotValid = serviceFailure(
  { code: 'invalid_idempotency_key', detail: detailOf('invalid_idempotency_key'), errors: [] },
  { status: 400, requestId: '' },
)

/** Calls endpoints that answer with one JSON document. */
const makeCaller = (authorized: Authorized, baseUrl: string): Caller => {
  const call: Caller = async (endpoint, sent) => {
    const { params = {}, search = '', idempotencyKey } = sent
    if (idempotencyKey !== undefined && !idempotencyKeyPattern.test(idempotencyKey))
      return failed(keyNotValid)
    const url = addressOf(baseUrl, endpoint, params)
    if (url === undefined)
      return failed(ownFailure('address_not_possible', 'No URL can carry one of these identifiers.'))
    const init = initOf(endpoint.method, sent)
    const exchanged = await limitedExchange(
      async (signal) => readWhole(await authorized(url + search, { ...init, signal })),
      sent.options,
    )
    if (isFailure(exchanged)) return failed(exchanged)
    return { result: readAnswer(endpoint, exchanged), headers: exchanged.response.headers }
  }
  return async (endpoint, sent) => {
    const { result, headers } = await call(endpoint, sent)
    return { result: result.ok ? result : explained(baseUrl, result), headers }
  }
}

export type ListRequest = Readonly<{ importSupplier: string; list: AccountImportList }>
export type PagesRequest = ListRequest & Readonly<{ /** 1 to 1000. */ limit: number }>

const nextLink = /<([^>]*)>\s*;\s*rel="next"/

/** Reads only the query of the link: a proxy may have changed the rest, so the address of the list is reused. */
const nextSearch = (headers: Headers | undefined): string | undefined => {
  const target = nextLink.exec(headers?.get('Link') ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, 'http://localhost').search
}

/** The list to read, and the size of its pages. */
type PagesOf = Readonly<{ limit: number; importSupplier?: string; importRun?: string }>

/** The pages of a list. A failure is the last result. */
async function* pagesFrom<Item>(
  call: Caller,
  endpoint: Endpoint<readonly Item[]>,
  { limit, importSupplier, importRun }: PagesOf,
  options: CallOptions,
): AsyncGenerator<Result<readonly Item[]>> {
  const params = {
    ...(importSupplier !== undefined && { import_supplier_code: importSupplier }),
    ...(importRun !== undefined && { import_run: importRun }),
  }
  // The list of runs takes its supplier in the query; the others have theirs in the path.
  const ofSupplier =
    endpoint === endpoints.importRuns && importSupplier !== undefined
      ? `&import_supplier=${encodeURIComponent(importSupplier)}`
      : ''
  let search: string | undefined = `?limit=${limit}${ofSupplier}`
  while (search !== undefined) {
    const { result, headers }: Called<readonly Item[]> = await call(endpoint, { params, search, options })
    yield result
    search = result.ok ? nextSearch(headers) : undefined
  }
}

/** The query of the request, with its question mark; empty for the service's defaults. */
const transactionsSearch = (options: TransactionOptions): string => {
  const query = new URLSearchParams()
  const { checkPreviouslyAdded, forceAddToCurrentStatement } = options
  if (checkPreviouslyAdded !== undefined) query.set('check_previously_added', String(checkPreviouslyAdded))
  if (forceAddToCurrentStatement !== undefined)
    query.set('force_add_to_current_statement', String(forceAddToCurrentStatement))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** Sends a typed payload, or untyped JSON. */
export type Submit<Payload, Success, Options = unknown> = {
  (body: Sendable<Payload>, options?: KeyedOptions & Options): Promise<Result<Success>>
  <Given extends object>(body: UntypedJson<Given>, options?: KeyedOptions & Options): Promise<Result<Success>>
}

export type ClientOptions = Readonly<{
  /**
   * The address of the service with its base path: `https://import.example/imports`. It has no user, password, query or fragment;
   * a slash at the end is ignored.
   */
  baseUrl: string
  /**
   * The API key of one organisation, as `account-import api-key create` or `operator.createApiKey` shows it once. The client
   * sends the key only to obtain tokens. All other requests have a token, which the client renews by itself. Left out:
   * requests have no token, as for a page of the console, whose session a cookie of the browser names.
   */
  apiKey?: string
  /** Allows plain `http://` to other machines too. Left out: only to `localhost`, 127.0.0.0/8 and [::1]. */
  allowPlainHttp?: boolean
  /** The platform's own by default. */
  fetch?: typeof globalThis.fetch
  /** The default `silenceSeconds` of calls; 120 when left out. A whole list of a million may take longer. */
  silenceSeconds?: number
}>

/**
 * The service's API. Every method returns a `Result` and never rejects. The client obtains and renews tokens by itself. It
 * repeats a request once after its token was refused. Besides, it repeats only requests with an idempotency key, and bulk
 * requests, which are safe to repeat.
 */
export type Client = BulkMethods &
  Readonly<{
    validateAccount: Submit<AccountPayload, JsonObject>
    stageAccount: Submit<AccountPayload, AnswerOf<'stageAccount'>>
    processAccount: Submit<ProcessRequest, AnswerOf<'processAccount'>>
    /** Adds notes to a created account: one outcome for each, in their order. */
    addNotes: Submit<NotesRequest, AnswerOf<'addNotes'>>
    /** Adds bills from before the migration to a created account, all or none, and returns them as accepted. */
    addHistoricalStatements: Submit<HistoricalStatementsRequest, AnswerOf<'addHistoricalStatements'>>
    /** Verifies an instruction with its payment vendor, and adds it to a created account. Takes up to 6 seconds. */
    addPaymentInstruction: Submit<PaymentInstructionRequest, AnswerOf<'addPaymentInstruction'>>
    /** Adds transactions to a created account, in their order, up to the first that fails: one result for each. */
    addTransactions: Submit<TransactionsRequest, AnswerOf<'addTransactions'>, TransactionOptions>
    /** Lists the created accounts that can be undone. For 15 minutes, its code confirms exactly this undo. */
    previewUndo: Submit<UndoPreviewRequest, AnswerOf<'previewUndo'>>
    /** Undoes created accounts, as shown by a preview. */
    undoAccounts: Submit<UndoAccountsRequest, AnswerOf<'undoAccounts'>>
    /** Opens an import run, or continues the unfinished run of the same source. */
    openImportRun: Submit<ImportRunRequest, AnswerOf<'openImportRun'>>
    /** Finishes a run. Later requests that name the run are refused. */
    finishImportRun: (importRun: string, options?: CallOptions) => Promise<Result<AnswerOf<'openImportRun'>>>
    /** A run with its counts and its most frequent errors. */
    importRun: (importRun: string, options?: CallOptions) => Promise<Result<AnswerOf<'importRun'>>>
    /** Runs, the latest first, page by page. A failure is the last result. */
    importRunPages: (
      request: Readonly<{ /** 1 to 1000. */ limit: number; importSupplier?: string }>,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'importRuns'>>>
    /** The refused accounts of a run, in the order of their lines. */
    importRunFailurePages: (
      request: Readonly<{ importRun: string; limit: number }>,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'importRunFailures'>>>
    /** The accounts that a run created, in the order of their numbers. */
    importRunAccountPages: (
      request: Readonly<{ importRun: string; limit: number }>,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'importRunAccounts'>>>
    /** The refused accounts of all runs that were neither accepted since nor dismissed, in the order of their numbers. */
    openFailurePages: (
      request: Readonly<{ importSupplier: string; limit: number }>,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'openFailures'>>>
    /** Dismisses open failures, with a reason for the audit log. */
    dismissFailures: Submit<DismissalRequest, AnswerOf<'dismissFailures'>>
    /** The organisation and scopes of the key, and the import suppliers and operations teams that its requests may name. */
    access: (options?: CallOptions) => Promise<Result<AnswerOf<'access'>>>
    transferStatus: (
      importSupplier: string,
      externalAccountNumber: string,
      options?: CallOptions,
    ) => Promise<Result<AnswerOf<'transferStatus'>>>
    /** The number of imports of the supplier by state. */
    accountImportSummary: (
      importSupplier: string,
      options?: CallOptions,
    ) => Promise<Result<AnswerOf<'accountImportSummary'>>>
    /** The whole list in one answer. */
    listAccountImports: (
      request: ListRequest,
      options?: CallOptions,
    ) => Promise<Result<AnswerOf<'allAccountImports'>>>
    /** The list page by page. A failure is the last result. */
    accountImportPages: (
      request: PagesRequest,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'allAccountImports'>>>
    /** Digests of the accounts, created or staged, page by page in the order of their numbers. A failure is the last result. */
    accountDigestPages: (
      request: Omit<PagesRequest, 'list'>,
      options?: CallOptions,
    ) => AsyncIterable<Result<AnswerOf<'accountDigests'>>>
    /** A digest for each value of an account, by its path. */
    fieldDigests: (
      importSupplier: string,
      externalAccountNumber: string,
      options?: CallOptions,
    ) => Promise<Result<AnswerOf<'fieldDigests'>>>
  }>

/**
 * Throws a TypeError when `baseUrl` is not the address of a service, or plain HTTP to another machine without `allowPlainHttp`,
 * or when `apiKey` is empty: these are bugs of the caller.
 */
export const createClient = ({
  baseUrl,
  apiKey,
  allowPlainHttp = false,
  fetch = globalThis.fetch,
  silenceSeconds = defaultSilenceSeconds,
}: ClientOptions): Client => {
  const base = checkedBaseUrl(baseUrl, allowPlainHttp)
  if (apiKey === '') throw new TypeError('apiKey is empty')
  const limits = { silenceSeconds }
  const authorized = makeAuthorized(fetch, base, apiKey, limits)
  const call = makeCaller(authorized, base)
  const submit =
    <Success>(endpoint: Endpoint<Success>, searchOf: (options: TransactionOptions) => string = () => '') =>
    (body: unknown, given: TransactionOptions & KeyedOptions = {}): Promise<Result<Success>> => {
      const options = { ...limits, ...given }
      const sent = { search: searchOf(options), body, idempotencyKey: options.idempotencyKey, options }
      return repeated(async () => (await call(endpoint, sent)).result, options)
    }
  const read = async <Success>(
    endpoint: Endpoint<Success>,
    params: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Result<Success>> => (await call(endpoint, { params, options: { ...limits, ...options } })).result
  const ofAccount =
    <Success>(endpoint: Endpoint<Success>) =>
    (importSupplier: string, externalAccountNumber: string, options?: CallOptions) => {
      const params = { import_supplier_code: importSupplier, external_account_number: externalAccountNumber }
      return read(endpoint, params, options)
    }
  const pages =
    <Item>(endpoint: Endpoint<readonly Item[]>) =>
    (request: PagesOf, options?: CallOptions) =>
      pagesFrom(call, endpoint, request, { ...limits, ...options })
  return {
    validateAccount: submit(endpoints.validateAccount),
    stageAccount: submit(endpoints.stageAccount),
    processAccount: submit(endpoints.processAccount),
    addNotes: submit(endpoints.addNotes),
    addHistoricalStatements: submit(endpoints.addHistoricalStatements),
    addPaymentInstruction: submit(endpoints.addPaymentInstruction),
    addTransactions: submit(endpoints.addTransactions, transactionsSearch),
    previewUndo: submit(endpoints.previewUndo),
    undoAccounts: submit(endpoints.undoAccounts),
    openImportRun: submit(endpoints.openImportRun),
    finishImportRun: (run, options) => read(endpoints.finishImportRun, { import_run: run }, options),
    importRun: (run, options) => read(endpoints.importRun, { import_run: run }, options),
    importRunPages: pages(endpoints.importRuns),
    importRunFailurePages: pages(endpoints.importRunFailures),
    importRunAccountPages: pages(endpoints.importRunAccounts),
    openFailurePages: pages(endpoints.openFailures),
    dismissFailures: submit(endpoints.dismissFailures),
    access: (options) => read(endpoints.access, {}, options),
    transferStatus: ofAccount(endpoints.transferStatus),
    accountImportSummary: (importSupplier, options) =>
      read(endpoints.accountImportSummary, { import_supplier_code: importSupplier }, options),
    listAccountImports: ({ importSupplier, list }, options) =>
      read(endpoints[`${list}AccountImports`], { import_supplier_code: importSupplier }, options),
    accountImportPages: ({ list, ...request }, options) =>
      pages(endpoints[`${list}AccountImports`])(request, options),
    accountDigestPages: pages(endpoints.accountDigests),
    fieldDigests: ofAccount(endpoints.fieldDigests),
    ...makeBulkMethods(authorized, base, limits),
  }
}
