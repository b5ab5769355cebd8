// The work of each generated client with the samples: it validates, stages and creates both accounts, reads their status, and adds
// data to one of them. The calls return the bodies of responses, in the types that the generator made of the document.

/** The payloads of the samples, in the types of a generator. */
export type Samples = Readonly<{
  accounts: readonly unknown[]
  notes: unknown
  transactions: unknown
  historicalStatements: unknown
  paymentInstruction: unknown
}>

type ProcessRequest = {
  import_supplier_code: string
  external_account_number: string
  operations_team_name: string
}
type Outcomes = readonly Readonly<{ status: string }>[]

/** A generated client with the token of a caller. A call throws if the service refuses it. */
export type Client<S extends Samples> = Readonly<{
  validate(account: S['accounts'][number]): Promise<unknown>
  stage(account: S['accounts'][number]): Promise<Readonly<{ external_account_number: string }>>
  process(request: ProcessRequest): Promise<Readonly<{ platform_account_number: string }>>
  status(
    supplier: string,
    account: string,
  ): Promise<Readonly<{ status: string; platform_account_number?: string | undefined }>>
  addNotes(body: S['notes']): Promise<Outcomes>
  addTransactions(body: S['transactions']): Promise<Readonly<{ results: Outcomes }>>
  addHistoricalStatements(body: S['historicalStatements']): Promise<unknown>
  addPaymentInstruction(body: S['paymentInstruction']): Promise<Readonly<{ reference?: string | undefined }>>
}>

const [, , baseUrl = '', apiKey = '', supplier = '', team = ''] = process.argv

/** The address of the service, and the body of the request for a token. */
export const service = {
  baseUrl,
  login: {
    query: 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }',
    variables: { input: { apiKey } },
  },
}

/** Prints the outcome of each call as JSON. */
export const journey = async <S extends Samples>(client: Client<S>, samples: S): Promise<void> => {
  const accounts = []
  for (const account of samples.accounts) {
    await client.validate(account)
    const { external_account_number } = await client.stage(account)
    const created = await client.process({
      import_supplier_code: supplier,
      external_account_number,
      operations_team_name: team,
    })
    const { status, platform_account_number } = await client.status(supplier, external_account_number)
    accounts.push([status, created.platform_account_number === platform_account_number])
  }
  const notes = await client.addNotes(samples.notes)
  const { results } = await client.addTransactions(samples.transactions)
  await client.addHistoricalStatements(samples.historicalStatements)
  const { reference } = await client.addPaymentInstruction(samples.paymentInstruction)
  const statusesOf = (outcomes: Outcomes) => [...new Set(outcomes.map(({ status }) => status))]
  console.log(JSON.stringify([accounts, statusesOf(notes), statusesOf(results), reference]))
}
