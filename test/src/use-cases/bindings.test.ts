import test from 'ava'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import {
  left,
  organisation,
  processGas,
  processing,
  refusalOf,
  right,
  service,
  staging,
} from './support/service.js'

const team = processGas.operations_team_name
const foreign = 'OTHER'

/** A service with a second organisation, which has nothing. */
const world = async () => {
  const made = await service({
    paymentVendors: inMemoryPaymentVendors(
      new Map([['SANDBOX', new Map([['pm', { _tag: 'verified' as const, details: {} }]])]]),
      new Map([['SANDBOX', [foreign]]]),
    ),
  })
  const { operator } = made.useCases
  await right(operator.createOrganisation({ code: foreign }))
  await right(staging(made.useCases))
  return { ...made, operator }
}

const bulk = (operations_team_name: string) => ({
  organisation,
  payload: { import_supplier_code: 'LEVANTE', operations_team_name },
})

test('a team of another organisation is one that does not exist, and is one again when it is unbound', async (t) => {
  const { operator, useCases } = await world()
  await right(operator.bindTeam({ name: team, organisation: foreign }))
  const named = (operations_team_name: string) => processing(useCases, { operations_team_name })
  t.deepEqual(await left(named(team)), await left(named('Nobody')))
  t.deepEqual(await left(useCases.bulkProcess(bulk(team))), await left(useCases.bulkProcess(bulk('Nobody'))))
  t.is(await refusalOf(named(team)), 'OperationsTeamDoesNotExist')
  t.deepEqual(await right(operator.bindTeam({ name: team, organisation })), {
    name: team,
    organisations: [organisation, foreign],
  })
  await right(named(team))
  await right(operator.unbindTeam({ name: team, organisation }))
  t.is(await refusalOf(useCases.bulkProcess(bulk(team))), 'OperationsTeamDoesNotExist')
  t.deepEqual(await right(operator.unbindTeam({ name: team, organisation: foreign })), {
    name: team,
    organisations: [],
  })
  await right(useCases.bulkProcess(bulk(team)))
})

test('a vendor of another organisation is one that is not registered', async (t) => {
  const { useCases } = await world()
  await right(processing(useCases))
  const naming = (vendor: string) =>
    useCases.addPaymentInstruction({
      organisation,
      payload: { ...sample('payment-instruction'), vendor, reference: 'pm' },
    })
  t.deepEqual(await left(naming('SANDBOX')), await left(naming('NOBODY')))
  t.like(await left(naming('SANDBOX')), {
    _tag: 'RequestFailedValidation',
    errors: [{ code: 'payment_vendor_not_registered', attr: 'vendor' }],
  })
})
