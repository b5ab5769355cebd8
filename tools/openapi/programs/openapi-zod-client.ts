// The client that openapi-zod-client generates: it checks each body and each response by zod.
import type { ZodiosBodyByAlias } from '@zodios/core'
import { journey, service } from './journey.js'
import { samples } from './openapi-zod-client.samples.js'
import { createApiClient, type api } from './openapi-zod-client.generated.js'

type Body<
  Alias extends
    | 'stageAccount'
    | 'addNotes'
    | 'addTransactions'
    | 'addHistoricalStatements'
    | 'addPaymentInstruction',
> = ZodiosBodyByAlias<typeof api.api, Alias>
export type Samples = Readonly<{
  accounts: readonly Body<'stageAccount'>[]
  notes: Body<'addNotes'>
  transactions: Body<'addTransactions'>
  historicalStatements: Body<'addHistoricalStatements'>
  paymentInstruction: Body<'addPaymentInstruction'>
}>

const { data } = await createApiClient(service.baseUrl).obtainToken(service.login)
const headers = { Authorization: `Token ${data?.obtainToken?.token}` }
const client = createApiClient(service.baseUrl, { axiosConfig: { headers } })

await journey<Samples>(
  {
    validate: (body) => client.validateAccount(body),
    stage: (body) => client.stageAccount(body),
    process: (body) => client.processAccount(body),
    status: (import_supplier_code, external_account_number) =>
      client.transferStatus({ params: { import_supplier_code, external_account_number } }),
    addNotes: (body) => client.addNotes(body),
    addTransactions: (body) => client.addTransactions(body),
    addHistoricalStatements: (body) => client.addHistoricalStatements(body),
    addPaymentInstruction: (body) => client.addPaymentInstruction(body),
  },
  samples,
)
