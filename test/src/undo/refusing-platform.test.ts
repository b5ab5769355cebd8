import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import {
  connectSql,
  createSqlPorts,
  type Hook,
  type KnownAccount,
  migrate,
} from '@account-import/adapter-sql'
import { createClient } from '@account-import/client'
import { type Scope, scopes } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { cookieOf, serveConsole, wordsIn } from '../console/support/served-console.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { leastText, organisation, processGas, right } from '../use-cases/support/service.js'

/** The platform uses the accounts 0001 and 0101 of the run. */
const isUsed = ({ key }: KnownAccount): boolean => key.externalAccountNumber.endsWith('01')

const refuse: Hook<KnownAccount> = async (_trx, accounts) =>
  accounts.filter(isUsed).map(({ platformAccountNumber }) => platformAccountNumber)

const numbers = Array.from({ length: 150 }, (_, index) => `N-${String(index).padStart(4, '0')}`)

test('accounts that the platform refuses are named by the response, the command and the console, and the others are undone', async (t) => {
  const database = connectSql('sqlite::memory:')
  t.teardown(() => database.destroy())
  await migrate(database)
  let additions = 0
  const onItemsAdded: typeof refuse = async (trx, accounts) => {
    additions += 1
    return refuse(trx, accounts)
  }
  const hooks = { onAccountsUndone: refuse, onItemsAdded }
  const useCases = makeUseCases(inMemoryPorts(createSqlPorts(database, hooks)))
  await right(useCases.operator.createOrganisation({ code: organisation }))
  await right(useCases.operator.createSupplier({ code: 'LEVANTE', organisation }))
  await right(useCases.operator.createTeam(processGas.operations_team_name))
  const created = await right(
    useCases.operator.createApiKey({ organisation, scopes: scopes as readonly Scope[] }),
  )
  const payload = { import_supplier: 'LEVANTE' }
  const { id } = await right(useCases.openImportRun({ organisation, payload }))
  for (const number of numbers) {
    await right(useCases.stageAccount({ organisation, payload: JSON.parse(leastText(number)) }))
    const processing = { ...processGas, external_account_number: number }
    await right(useCases.processAccount({ organisation, payload: processing, importRun: { id } }))
  }
  const { baseUrl, close } = await listen(createApp(useCases, { log: () => undefined }))
  t.teardown(close)

  const client = createClient({ baseUrl, apiKey: created.apiKey })
  const note = { ...payload, external_account_number: 'N-0001', notes: [{ body: 'late' }] }
  t.like(await client.addNotes(note), { ok: false, status: 409, code: 'refused_by_platform' })
  t.is(additions, 1, 'the client does not repeat the request')

  const undo = (...args: readonly string[]) =>
    cliInProcess(['run', 'undo', id, '--url', baseUrl, '--json', ...args], {
      ACCOUNT_IMPORT_API_KEY: created.apiKey,
    })
  const preview = JSON.parse((await undo()).stdout) as { confirmation_code: string }
  const { code, stdout } = await undo('--confirm', preview.confirmation_code)
  const kept = ['N-0001', 'N-0101'].map((external_account_number) => ({
    external_account_number,
    reason: 'refused_by_platform',
  }))
  const done = JSON.parse(stdout) as { removed: readonly unknown[]; kept: readonly unknown[] }
  t.deepEqual([code, done.removed.length, done.kept], [1, 148, kept])

  const { home } = await serveConsole(t, useCases)
  const address = `${home}runs/${id}/undo/`
  const Cookie = await cookieOf(home, created.apiKey)
  const page = await (await fetch(address, { headers: { Cookie } })).text()
  const batch = /name="batch" value="([^"]*)"/.exec(page)?.[1] ?? ''
  const answer = await fetch(address, {
    method: 'POST',
    headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ batch, confirmed: 'yes' }),
  })
  t.regex(
    wordsIn(await answer.text()),
    /Undone 0 Kept 2 .* The platform uses the account already 2 .* N-0001 The platform uses .* N-0101 The platform uses/,
  )
})
