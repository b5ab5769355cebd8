import { answer } from '../../support/answers.js'
import type { SupplierSettings } from '@account-import/core'
import type { Journey } from '../support/journey.js'
import { failureOf, successOf } from '../../support/results.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import type { World } from '../support/world.js'

type Entry = Readonly<{ attr: string; code: string }>
const inShort = (entries: readonly Entry[]) => entries.map((entry) => `${entry.attr} ${entry.code}`)

const configure = ({ operator, supplier }: World, change: Partial<SupplierSettings>) =>
  answer(operator.configureSupplier({ code: supplier, change: (settings) => ({ ...settings, ...change }) }))

/** Validates and stages; both must answer warnings alone, or refuse with errors. */
const validated = async ({ client }: World, account: JsonObject) => {
  const [validated, staged] = [await client.validateAccount(account), await client.stageAccount(account)]
  const said = [validated, staged].map((result) =>
    result.ok
      ? { status: 'accepted', entries: inShort(result.warnings) }
      : {
          status: `${result.status} ${result.problem.code}`,
          entries: inShort(failureOf(result).problem.errors),
        },
  )
  if (JSON.stringify(said[0]) !== JSON.stringify(said[1]))
    throw new Error(`validate and stage differ: ${JSON.stringify(said)}`)
  return said[0]
}

const accepted = (...entries: readonly string[]) => ({ status: 'accepted', entries })
const refused = (...entries: readonly string[]) => ({ status: '400 account_failed_validation', entries })

const severity: Journey = {
  title: 'a rule that is raised, switched off or put back for a supplier is so from the next request on',
  run: async (t, open) => {
    const world = await open()
    const account = gasAccount(world.supplier, 'A-1')
    const [customer] = account['customers'] as readonly object[]
    const entry = 'customers.0.user_details.0.value invalid_fiscal_code'
    const user_details = [{ namespace: 'fiscal_code', value: '12345678A' }]
    const wrong = { ...account, customers: [{ ...customer, user_details }] }
    t.deepEqual(await validated(world, wrong), accepted(entry))
    await configure(world, { severities: { invalid_fiscal_code: 'error' } })
    t.deepEqual(await validated(world, wrong), refused(entry))
    await configure(world, { severities: { invalid_fiscal_code: 'off' } })
    t.deepEqual(await validated(world, wrong), accepted())
    await configure(world, { severities: {} })
    t.deepEqual(await validated(world, wrong), accepted(entry))
    await configure(world, { markets: [] })
    t.deepEqual(await validated(world, wrong), accepted())
    await configure(world, { markets: ['ES'] })
    t.deepEqual(await validated(world, wrong), accepted(entry))
  },
}

const lists: Journey = {
  title: 'a list that is closed or opened, and internal domains, hold from the next request on',
  run: async (t, open) => {
    const world = await open()
    const account = gasAccount(world.supplier, 'A-1')
    const [customer] = account['customers'] as readonly object[]
    const sent = {
      ...account,
      sales_channel: 'STREET',
      customers: [{ ...customer, email: 'ana@mail.levante.example' }],
    }
    t.deepEqual(await validated(world, sent), accepted())
    const closed = { members: ['DIRECT'], severity: 'error' } as const
    await configure(world, { closedLists: { sales_channel: closed } })
    t.deepEqual(await validated(world, sent), refused('sales_channel not_in_supplier_list'))
    await configure(world, { closedLists: { sales_channel: { ...closed, severity: 'warn' } } })
    t.deepEqual(await validated(world, sent), accepted('sales_channel not_in_supplier_list'))
    await configure(world, { closedLists: {}, internalEmailDomains: ['levante.example'] })
    t.deepEqual(await validated(world, sent), accepted('customers.0.email internal_email_address'))
    await configure(world, { internalEmailDomains: [] })
    t.deepEqual(await validated(world, sent), accepted())
  },
}

const ownSettings: Journey = {
  title: 'settings of one supplier say nothing about another, and staged data is validated by those in force',
  run: async (t, open) => {
    const [world, other] = [await open(), await open()]
    const wrongIn = (supplier: string): JsonObject => ({ ...gasAccount(supplier, 'A-1'), colour: 'red' })
    t.is(successOf(await world.client.stageAccount(wrongIn(world.supplier))).warningsTotal, 1)
    await configure(world, { severities: { unknown_field: 'error' } })
    t.deepEqual(await validated(world, wrongIn(world.supplier)), refused('colour unknown_field'))
    t.deepEqual(await validated(other, wrongIn(other.supplier)), accepted('colour unknown_field'))
    // What is unknown was dropped when it was staged.
    t.is((await world.process('A-1')).status, 201)
  },
}

/** Settings of a supplier, over HTTP. */
export const settingsJourneys: readonly Journey[] = [severity, lists, ownSettings]
