import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { Scope } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import { right, sample } from '../../use-cases/support/service.js'

export type EndpointName = keyof typeof endpoints

export const endpointNames = Object.keys(endpoints) as EndpointName[]

/** The names in a request that may lead to data of another organisation. */
export type Named = Readonly<{ supplier: string; number: string; team: string; vendor: string; run: string }>

export const ours: Named = {
  supplier: 'OURS',
  number: 'A-1',
  team: 'Our team',
  vendor: 'OURS',
  run: 'OURRUN',
}
export const theirs: Named = {
  supplier: 'THEIRS',
  number: 'B-1',
  team: 'Their team',
  vendor: 'THEIRS',
  run: 'THEIRRUN',
}

export const vendors = paymentVendors([
  { ...sandboxVendor({ code: 'OURS' }), organisations: ['OWN'] },
  { ...sandboxVendor({ code: 'THEIRS' }), organisations: ['OTHER'] },
])

type Asked = Readonly<{
  params?: Readonly<Record<string, string>>
  search?: string
  body?: unknown
  lines?: boolean
}>

/** The requests, one after the other. */
type Request = Readonly<{ names: readonly (keyof Named)[]; of(named: Named): readonly [Asked, ...Asked[]] }>

const identified = ({ supplier, number }: Named) => ({
  import_supplier: supplier,
  external_account_number: number,
})

const account = (lines: boolean): Request => ({
  names: ['supplier'],
  of: (named) => [{ body: { ...sample('gas-account'), ...identified(named) }, lines }],
})

const processing = (numbers: (number: string) => object): Request => ({
  names: ['supplier', 'team'],
  of: ({ supplier, number, team }) => {
    const body = { import_supplier_code: supplier, operations_team_name: team, ...numbers(number) }
    return [{ body }, { body: { ...body, dry_run: true } }]
  },
})

const addition = (file: string, ...more: readonly (keyof Named)[]): Request => ({
  names: ['supplier', 'number', ...more],
  of: (named) => {
    const payload = sample(file)
    const withVendor = 'vendor' in payload ? { vendor: named.vendor } : {}
    return [{ body: { ...payload, ...withVendor, ...identified(named) } }]
  },
})

const undoing = (more: object): Request => ({
  names: ['supplier'],
  of: ({ supplier, number }) => [
    { body: { import_supplier_code: supplier, external_account_numbers: [number], ...more } },
  ],
})

const reading = (...names: readonly ('supplier' | 'number')[]): Request => ({
  names,
  of: ({ supplier, number }) => [
    { params: { import_supplier_code: supplier, external_account_number: number } },
  ],
})

/** The whole list, and a page. */
const list: Request = {
  names: ['supplier'],
  of: ({ supplier }) => {
    const params = { import_supplier_code: supplier }
    return [{ params }, { params, search: '?limit=10' }]
  },
}

const ofRun: Request = { names: ['run'], of: ({ run }) => [{ params: { import_run: run } }] }

/** A request of each endpoint: one that is missing does not compile. */
export const requests: Readonly<Record<EndpointName, Request>> = {
  validateAccount: account(false),
  stageAccount: account(false),
  processAccount: processing((number) => ({ external_account_number: number })),
  bulkValidate: account(true),
  bulkStage: account(true),
  bulkProcess: processing((number) => ({ external_account_numbers: [number] })),
  bulkImport: {
    names: ['supplier', 'team'],
    of: (named) => [
      {
        search: `?operations_team_name=${encodeURIComponent(named.team)}`,
        body: { ...sample('gas-account'), ...identified(named) },
        lines: true,
      },
    ],
  },
  addNotes: addition('notes'),
  addHistoricalStatements: addition('historical-statements'),
  addPaymentInstruction: addition('payment-instruction', 'vendor'),
  addTransactions: addition('transactions'),
  previewUndo: undoing({}),
  undoAccounts: undoing({ confirmation_code: 'm93k1x2c-5f1c0b7a9e3d4c6b8a7f2e1d0c9b8a7f' }),
  openImportRun: {
    names: ['supplier'],
    of: ({ supplier }) => [{ body: { import_supplier: supplier } }],
  },
  finishImportRun: ofRun,
  importRuns: {
    names: ['supplier'],
    of: ({ supplier }) => [{ search: `?import_supplier=${supplier}` }],
  },
  importRun: ofRun,
  importRunFailures: ofRun,
  importRunAccounts: ofRun,
  openFailures: list,
  dismissFailures: {
    names: ['supplier'],
    of: ({ supplier, number }) => [
      {
        body: {
          import_supplier: supplier,
          failures: [{ external_account_number: number }],
          reason: 'Closed',
        },
      },
    ],
  },
  access: { names: ['supplier', 'team'], of: () => [{}] },
  transferStatus: reading('supplier', 'number'),
  accountImportSummary: reading('supplier'),
  allAccountImports: list,
  pendingAccountImports: list,
  importedAccountImports: list,
  accountDigests: list,
  fieldDigests: reading('supplier', 'number'),
}

/** The response of an endpoint, without the parts that differ in every response. */
const send = async (baseUrl: string, name: EndpointName, asked: Asked, token: string | undefined) => {
  const { method, path } = endpoints[name]
  const { params = {}, search = '', body, lines } = asked
  const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const response = await fetch(baseUrl + address + search, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Token ${token}` }),
      ...(body !== undefined && { 'Content-Type': lines ? 'application/x-ndjson' : 'application/json' }),
    },
    ...(body !== undefined && { body: `${JSON.stringify(body)}\n` }),
  })
  const id = response.headers.get('x-request-id') ?? ''
  const headers = [...response.headers].filter(([header]) => !['date', 'x-request-id'].includes(header))
  return { status: response.status, headers, text: (await response.text()).replaceAll(id, '') }
}

/** A service in which one organisation has resources, and another one too after the call. */
export const twoOrganisations = async (ports: Parameters<typeof inMemoryPorts>[0]) => {
  const all = inMemoryPorts({ paymentVendors: vendors, ...ports })
  const useCases = makeUseCases(all)
  const { operator } = useCases
  const otherKey = {
    organisation: 'OTHER',
    importSupplier: theirs.supplier,
    externalAccountNumber: theirs.number,
  }
  for (const code of ['OWN', 'OTHER']) await right(operator.createOrganisation({ code }))
  const give = async (organisation: string, named: Named): Promise<void> => {
    await right(operator.createSupplier({ code: named.supplier, organisation }))
    await right(operator.createTeam(named.team))
    await right(operator.bindTeam({ name: named.team, organisation }))
    const at = all.clock.now()
    await right(
      all.importRuns.open({
        id: named.run,
        organisation,
        importSupplier: named.supplier,
        label: undefined,
        source: undefined,
        startedBy: 'somebody',
        startedAt: at,
        latestRequestAt: at,
        latestProgressAt: at,
        finishedAt: undefined,
        undone: undefined,
        totals: undefined,
        failuresRemovedAt: undefined,
      }),
    )
    await right(useCases.stageAccount({ organisation, payload: requests.stageAccount.of(named)[0].body }))
    await right(useCases.processAccount({ organisation, payload: requests.processAccount.of(named)[0].body }))
  }
  await give('OWN', ours)
  const { baseUrl, close } = await listen(createApp(useCases, { log: () => undefined }))
  return {
    close,
    giveToOther: () => give('OTHER', theirs),
    tokenFor: async (scopes: readonly Scope[]): Promise<string> => {
      const { apiKey } = await right(operator.createApiKey({ organisation: 'OWN', scopes }))
      return (await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))).token
    },
    /** The answers to the requests of an endpoint. */
    ask: async (name: EndpointName, named: Named, token: string | undefined) => {
      const answers: Awaited<ReturnType<typeof send>>[] = []
      for (const asked of requests[name].of(named)) answers.push(await send(baseUrl, name, asked, token))
      return answers
    },
    /** The data of the other organisation. */
    heldByOther: async (): Promise<readonly unknown[]> => [
      await right(all.accountImports.find(otherKey)),
      await right(all.accounts.find(otherKey)),
      await right(all.importRuns.find('OTHER', theirs.run)),
    ],
  }
}
