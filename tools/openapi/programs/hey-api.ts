// The client that @hey-api/openapi-ts generates: a function for each operation.
import { journey, service } from './journey.js'
import { samples } from './hey-api.samples.js'
import * as api from './hey-api.generated/index.js'
import { client } from './hey-api.generated/client.gen.js'

export type Samples = Readonly<{
  accounts: readonly api.Account[]
  notes: api.NotesRequest
  transactions: api.TransactionsRequest
  historicalStatements: api.HistoricalStatementsRequest
  paymentInstruction: api.PaymentInstructionRequest
}>

client.setConfig({ baseUrl: service.baseUrl })
const throwOnError = true as const
const { data } = await api.obtainToken({ body: service.login, throwOnError })
client.setConfig({ auth: `Token ${data.data?.obtainToken?.token}` })

const answer = async <T>(response: Promise<{ data: T }>): Promise<T> => (await response).data

await journey<Samples>(
  {
    validate: (body) => answer(api.validateAccount({ body, throwOnError })),
    stage: (body) => answer(api.stageAccount({ body, throwOnError })),
    process: (body) => answer(api.processAccount({ body, throwOnError })),
    status: (import_supplier_code, external_account_number) =>
      answer(api.transferStatus({ path: { import_supplier_code, external_account_number }, throwOnError })),
    addNotes: (body) => answer(api.addNotes({ body, throwOnError })),
    addTransactions: (body) => answer(api.addTransactions({ body, throwOnError })),
    addHistoricalStatements: (body) => answer(api.addHistoricalStatements({ body, throwOnError })),
    addPaymentInstruction: (body) => answer(api.addPaymentInstruction({ body, throwOnError })),
  },
  samples,
)
