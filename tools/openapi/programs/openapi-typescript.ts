// A client of openapi-fetch, with the types that openapi-typescript generates.
import createClient from 'openapi-fetch'
import { journey, service } from './journey.js'
import { samples } from './openapi-typescript.samples.js'
import type { components, paths } from './openapi-typescript.generated.js'

type Schemas = components['schemas']
export type Samples = Readonly<{
  accounts: readonly Schemas['Account'][]
  notes: Schemas['NotesRequest']
  transactions: Schemas['TransactionsRequest']
  historicalStatements: Schemas['HistoricalStatementsRequest']
  paymentInstruction: Schemas['PaymentInstructionRequest']
}>

const client = createClient<paths>({ baseUrl: service.baseUrl })

const answer = async <T>(
  response: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> => {
  const {
    data,
    error,
    response: { status },
  } = await response
  if (data === undefined || data === null) throw new Error(`${status} ${JSON.stringify(error)}`)
  return data
}

const { data } = await answer(client.POST('/v1/graphql/', { body: service.login }))
client.use({
  onRequest: ({ request }) => {
    request.headers.set('Authorization', `Token ${data?.obtainToken?.token}`)
    return request
  },
})

const processPath = '/v1/data-import/account-import-process/process/'
// @ts-expect-error -- a team is needed
void (() => client.POST(processPath, { body: { external_account_number: '' } }))

await journey<Samples>(
  {
    validate: (body) => answer(client.POST('/v1/data-import/validate-account/', { body })),
    stage: (body) =>
      answer(client.POST('/v1/data-import/account-import-process/create-or-update/', { body })),
    process: (body) => answer(client.POST(processPath, { body })),
    status: (import_supplier_code, external_account_number) =>
      answer(
        client.GET(
          '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
          { params: { path: { import_supplier_code, external_account_number } } },
        ),
      ),
    addNotes: (body) => answer(client.POST('/v1/data-import/notes/create/', { body })),
    addTransactions: (body) => answer(client.POST('/v1/data-import/transactions/create/', { body })),
    addHistoricalStatements: (body) =>
      answer(client.POST('/v1/data-import/historical-statements/create/', { body })),
    addPaymentInstruction: (body) =>
      answer(client.POST('/v1/data-import/payment-instruction/create/', { body })),
  },
  samples,
)
