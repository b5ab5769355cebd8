import test from 'ava'
import { instantOf, makeUseCases, type UseCases } from '@account-import/core'
import { inOrderOfTime } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { by, listed, process, stage, whats } from './support/record.js'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, refusalOf, right, service } from './support/service.js'

test('what is done to an account is recorded by whose key it was, in which request', async (t) => {
  const { useCases } = await service()
  const submit = (name: string) => ({ organisation, by, payload: sample(name) })
  await stage(useCases)
  await stage(useCases)
  await process(useCases)
  await right(useCases.addNotes(submit('notes')))
  await right(useCases.addTransactions(submit('transactions')))
  await right(useCases.addHistoricalStatements(submit('historical-statements')))
  const entries = (await listed(useCases, gasKey)).map(({ entry }) => entry)
  t.deepEqual(
    entries.map(({ what }) => what),
    ['staged', 'restaged', 'created', 'notes_added', 'transactions_added', 'statements_added'],
  )
  for (const entry of entries) t.like(entry, { by, ...gasKey })
  t.is(entries[1]?.before, entries[0]?.after)
})

test('a repeated addition is no entry, as it adds nothing', async (t) => {
  const { useCases } = await service()
  await stage(useCases)
  await process(useCases)
  const notes = { organisation, payload: sample('notes') }
  await right(useCases.addNotes(notes))
  await right(useCases.addNotes(notes))
  t.is((await whats(useCases, gasKey)).filter((what) => what === 'notes_added').length, 1)
})

test('no value of a payload gets into the record', async (t) => {
  const { useCases } = await service()
  await stage(useCases)
  await process(useCases)
  await right(useCases.addNotes({ organisation, by, payload: sample('notes') }))
  await right(useCases.operator.showAccount(gasKey))
  const text = JSON.stringify(await listed(useCases))
  const known = new Set([gasKey.externalAccountNumber, gasKey.importSupplier])
  const values: string[] = []
  JSON.stringify([sample('gas-account'), sample('notes')], (_, value: unknown) => {
    if (typeof value === 'string' && value.length > 5 && !known.has(value)) values.push(value)
    return value
  })
  t.true(values.length > 50)
  t.deepEqual(
    values.filter((value) => text.includes(JSON.stringify(value).slice(1, -1))),
    [],
  )
})

test('logins, networks that logins and renewals never came from before, failed logins and reused refresh tokens are entries of the organisation of the key', async (t) => {
  const { useCases } = await service()
  const { apiKey, record } = await right(useCases.operator.createApiKey({ organisation, name: 'CRM' }))
  const from = (address: string, credentials: Parameters<UseCases['obtainToken']>[0]['credentials']) =>
    useCases.obtainToken({ address, credentials, requestId: 'login-1' })
  const { refreshToken } = await right(from('192.0.2.1', { apiKey }))
  await right(from('192.0.2.1', { apiKey }))
  await right(from('2001:db8::1', { apiKey }))
  const renewed = await right(from('192.0.2.1', { refreshToken }))
  const moved = await right(from('198.51.100.7', { refreshToken: renewed.refreshToken }))
  await right(from('198.51.100.7', { refreshToken: moved.refreshToken }))
  await left(from('192.0.2.9', { refreshToken }))
  const forged = apiKey.replace(/_[^_]+$/, '_forged')
  await left(from('192.0.2.9', { apiKey: forged }))
  const unnamed = await right(useCases.operator.createApiKey({ organisation }))
  await right(from('192.0.2.1', { apiKey: unnamed.apiKey }))
  const entries = (await listed(useCases, { organisation }))
    .map(({ entry }) => entry)
    .filter(({ what }) => !what.startsWith('command'))
    .map(({ what, by: { who, requestId }, subject }) => [what, who, requestId, subject])
    .filter(([what]) => what !== 'login_failed')
  const named = `key ${record.id} (CRM)`
  t.deepEqual(entries, [
    ['logged_in', named, 'login-1', '192.0.2.1'],
    ['new_address', named, 'login-1', '192.0.2.1'],
    ['logged_in', named, 'login-1', '192.0.2.1'],
    ['logged_in', named, 'login-1', '2001:db8:0:0::/64'],
    ['new_address', named, 'login-1', '2001:db8:0:0::/64'],
    ['new_address', named, 'login-1', '198.51.100.7'],
    ['refresh_token_reused', named, 'login-1', '192.0.2.9'],
    ['logged_in', `key ${unnamed.record.id}`, 'login-1', '192.0.2.1'],
    ['new_address', `key ${unnamed.record.id}`, 'login-1', '192.0.2.1'],
  ])
  const failed = (await listed(useCases)).filter(({ entry }) => entry.what === 'login_failed')
  t.is(failed.length, 1)
})

test('nobody logs in where it cannot be recorded, and failures of a flood are not', async (t) => {
  const { ports, useCases } = await service()
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const without = (operation: 'record' | 'recordUse') =>
    makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, operation) })
  const refused = async (operation: 'record' | 'recordUse', key: string) =>
    await refusalOf(without(operation).obtainToken({ address: 'a', credentials: { apiKey: key } }))
  t.is(await refused('recordUse', apiKey), 'PortFailure')
  t.is(await refused('record', 'x'), 'PortFailure')
  const { refreshToken } = await right(useCases.obtainToken({ address: 'a', credentials: { apiKey } }))
  const renewal = { address: 'b', credentials: { refreshToken } }
  t.is(await refusalOf(without('recordUse').obtainToken(renewal)), 'PortFailure')
  await right(useCases.obtainToken(renewal))
  for (let attempt = 0; attempt < 30; attempt += 1)
    await left(useCases.obtainToken({ address: 'flood', credentials: { apiKey: 'guessed' } }))
  const failed = (await listed(useCases)).filter(({ entry }) => entry.subject === 'flood')
  t.is(failed.length, 10)
})

test('entries of several lists stand in the order of their times, and those of one list in its own', (t) => {
  const entry = (second: number, what: 'staged' | 'created') => ({
    organisation,
    at: instantOf(second * 1000),
    what,
    by,
  })
  const timesOf = (...lists: readonly (readonly ReturnType<typeof entry>[])[]) =>
    inOrderOfTime(lists).map(({ at, what }) => `${at.slice(17, 19)} ${what}`)
  t.deepEqual(timesOf([entry(1, 'staged')], [entry(2, 'created')]), ['01 staged', '02 created'])
  t.deepEqual(timesOf([entry(2, 'staged')], [entry(1, 'created')]), ['01 created', '02 staged'])
  t.deepEqual(timesOf([entry(1, 'staged')], [entry(1, 'created')]), ['01 staged', '01 created'])
  t.deepEqual(timesOf([entry(3, 'staged'), entry(1, 'created')], [entry(2, 'staged')]), [
    '02 staged',
    '03 staged',
    '01 created',
  ])
})
