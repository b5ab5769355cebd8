import test from 'ava'
import { instantOf } from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import { listed } from './support/record.js'
import { gasKey, left, organisation, pausing, refusalOf, right, service } from './support/service.js'

test('operator commands are recorded before they begin and when they end, reads of personal data too', async (t) => {
  const { ports } = await service()
  const useCases = makeUseCases(ports, { who: 'operator alice' })
  const paused = await right(pausing(useCases))
  await left(useCases.operator.showAccount(gasKey))
  await left(useCases.operator.revokeApiKey('nobody'))
  await left(useCases.operator.bindTeam({ name: 'Nobody', organisation }))
  await left(useCases.operator.createSupplier({ code: 5 as never, organisation }))
  await left((useCases.operator.createOrganisation as unknown as () => Promise<Either<unknown, unknown>>)())
  await right(useCases.operator.missingDocuments('LEVANTE'))
  const { organisation: _, ...pair } = gasKey
  const skipped = await right(useCases.operator.setSkipped({ ...pair, skipped: true }))
  await right(useCases.operator.listSuppliers())
  const entries = (await listed(useCases))
    .map(({ entry }) => entry)
    .filter(({ by: { who } }) => who !== 'unnamed')
  t.true(entries.every(({ by: { who } }) => who === 'operator alice'))
  t.deepEqual(
    entries.map((entry) => [entry.organisation, entry.what, entry.subject, entry.externalAccountNumber]),
    [
      ['', 'command_begun', 'revokeApiKey nobody', undefined],
      ['', 'command_refused', 'revokeApiKey nobody', undefined],
      ['', 'command_begun', 'createOrganisation', undefined],
      ['', 'command_refused', 'createOrganisation', undefined],
      ['ACME', 'command_begun', 'setSupplierStatus LEVANTE paused', undefined],
      ['ACME', 'command_done', 'setSupplierStatus LEVANTE paused', undefined],
      ['ACME', 'command_begun', 'showAccount', gasKey.externalAccountNumber],
      ['ACME', 'command_refused', 'showAccount', gasKey.externalAccountNumber],
      ['ACME', 'command_begun', 'bindTeam ACME Nobody', undefined],
      ['ACME', 'command_refused', 'bindTeam ACME Nobody', undefined],
      ['ACME', 'command_begun', 'createSupplier ACME', undefined],
      ['ACME', 'command_refused', 'createSupplier ACME', undefined],
      ['ACME', 'command_begun', 'missingDocuments LEVANTE', undefined],
      ['ACME', 'command_done', 'missingDocuments LEVANTE', undefined],
      ['ACME', 'command_begun', 'setSkipped', gasKey.externalAccountNumber],
      ['ACME', 'skipped', undefined, gasKey.externalAccountNumber],
      ['ACME', 'command_done', 'setSkipped', gasKey.externalAccountNumber],
    ],
  )
  const hashOf = (outcome: unknown) => ports.secrets.hash(JSON.stringify(outcome))
  t.deepEqual(
    entries.flatMap(({ what, after }) => (what === 'command_done' ? [after] : [])),
    // Pages are yet to be read.
    [await hashOf(paused), undefined, await hashOf(skipped)],
  )
})

test('commands for one account or e-mail are recorded with supplier and account', async (t) => {
  const { ports } = await service()
  const useCases = makeUseCases(ports, { who: 'operator alice' })
  const { importSupplier } = gasKey
  const email = { platformAccountNumber: 'P-1', language: 'es', enqueuedAt: instantOf(0) }
  await right(ports.outbox.enqueue([{ ...email, id: 'mail-1', key: gasKey }]))
  await right(useCases.operator.missingDocuments(importSupplier))
  await right(useCases.operator.retryEmail('mail-1'))
  await left(useCases.operator.retryEmail('nobody'))
  const of = async (subject: string) =>
    (await listed(useCases))
      .map(({ entry }) => entry)
      .filter((entry) => entry.subject === subject)
      .map((entry) => [entry.organisation, entry.importSupplier, entry.externalAccountNumber])
  const each = (...about: readonly unknown[]) => [about, about]
  t.deepEqual(await of(`missingDocuments ${importSupplier}`), each(organisation, importSupplier, undefined))
  t.deepEqual(await of('retryEmail mail-1'), each(organisation, importSupplier, gasKey.externalAccountNumber))
  t.deepEqual(await of('retryEmail nobody'), each('', undefined, undefined))
})

test('a command that cannot be recorded is not begun', async (t) => {
  const { ports } = await service()
  const auditTrail = failing(ports.auditTrail, 'record')
  const { operator } = makeUseCases({ ...ports, auditTrail })
  const before = (await right(ports.operationsTeams.listAll())).length
  t.is(await refusalOf(operator.createTeam('North')), 'PortFailure')
  t.is(await refusalOf(operator.showAccount(gasKey)), 'PortFailure')
  t.is((await right(ports.operationsTeams.listAll())).length, before)
})

test('a command whose end cannot be recorded returns its result, as the text of a key is shown once', async (t) => {
  const { ports } = await service()
  const unended = () => {
    const auditTrail = failing(ports.auditTrail, 'record', { nth: 2 })
    return makeUseCases({ ...ports, auditTrail }).operator
  }
  const { apiKey } = await right(unended().createApiKey({ organisation }))
  t.regex(apiKey, /^aik_/)
  const secrets = { ...ports.secrets, hash: () => Promise.reject(new Error('no hashes')) }
  t.deepEqual(await right(makeUseCases({ ...ports, secrets }).operator.createTeam('South')), {
    name: 'South',
  })
  t.is(await refusalOf(unended().revokeApiKey('nobody')), 'PortFailure')
})

test('commands for organisations and keys are recorded with the organisation, also when a supplier has its code', async (t) => {
  const { ports } = await service()
  const useCases = makeUseCases(ports, { who: 'operator alice' })
  const { operator } = useCases
  await right(operator.createOrganisation({ code: 'LEVANTE' }))
  await left(operator.createOrganisation({ code: 'LEVANTE' }))
  await right(operator.disableOrganisation('LEVANTE'))
  const made = await right(operator.createApiKey({ organisation }))
  const id = made.record.id
  await right(operator.rotateApiKey({ id, overlapSeconds: 0 }))
  await right(operator.revokeApiKey(id))
  const entries = (await listed(useCases)).map(({ entry }) => entry)
  const of = (subject: string) =>
    entries
      .filter((entry) => entry.subject?.startsWith(subject) === true && entry.what !== 'command_refused')
      .map((entry) => `${entry.organisation} ${entry.importSupplier}`)
  // It does not exist when its creation begins, and does when it is read again.
  t.deepEqual(of('createOrganisation LEVANTE'), [' undefined', ' undefined', 'LEVANTE undefined'])
  t.deepEqual(of('disableOrganisation LEVANTE'), ['LEVANTE undefined', 'LEVANTE undefined'])
  for (const command of ['rotateApiKey', 'revokeApiKey'])
    t.deepEqual(of(`${command} ${id}`), ['ACME undefined', 'ACME undefined'])
})

test('a command whose subject cannot be read fails', async (t) => {
  const { ports } = await service()
  const importSuppliers = failing(ports.importSuppliers, 'findByCode')
  const blind = makeUseCases({ ...ports, importSuppliers }).operator
  t.is(await refusalOf(blind.createSupplier({ code: 'NEW', organisation })), 'PortFailure')
  t.deepEqual(await right(blind.createTeam('Names no supplier')), { name: 'Names no supplier' })
  const noKeys = makeUseCases({ ...ports, apiKeys: failing(ports.apiKeys, 'find') }).operator
  t.is(await refusalOf(noKeys.revokeApiKey('k')), 'PortFailure')
  const noOutbox = makeUseCases({ ...ports, outbox: failing(ports.outbox, 'find') }).operator
  t.is(await refusalOf(noOutbox.retryEmail('e')), 'PortFailure')
  const organisations = failing(ports.organisations, 'find')
  const noOrganisations = makeUseCases({ ...ports, organisations }).operator
  t.is(await refusalOf(noOrganisations.disableOrganisation('o')), 'PortFailure')
})
