import ava, { type ExecutionContext } from 'ava'
import { gasAccount } from '../support/samples.js'
import { importing, type Importing, startImportServer, type ImportServer } from './support/importing.js'

const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

const answerTo = async (
  t: ExecutionContext,
  { database, address }: Importing,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, string]> => {
  const { url, send } = await tokenAt(t, address, database.apiKey)
  const response = await send(`${url}/v1/data-import/account-import-process/create-or-update/`, headers, {
    ...gasAccount(database.supplier, 'H'),
  })
  return [response.status, ((await response.json()) as { code?: string }).code ?? '']
}

const tokenAt = async (t: ExecutionContext, url: string, apiKey: string) => {
  const query = `mutation { obtainToken(input: {apiKey: "${apiKey}"}) { token } }`
  const response = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as { data: { obtainToken: { token: string } } }
  t.truthy(data.obtainToken.token)
  const send = (address: string, headers: Readonly<Record<string, string>>, body: object) =>
    fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Token ${data.obtainToken.token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  return { url, send }
}

test('headers without a valid run or line are refused before any change', async (t) => {
  const world = await importing(t, server)
  const opened = await world.client.openImportRun({ import_supplier: world.database.supplier })
  const id = opened.ok ? opened.body.id : ''
  const answers = [
    await answerTo(t, world, { 'Import-Run': 'nothing' }),
    await answerTo(t, world, { 'Import-Run': 'x'.repeat(5000) }),
    await answerTo(t, world, { 'Import-Run': id, 'Import-Run-Line': '0' }),
    await answerTo(t, world, { 'Import-Run': id, 'Import-Run-Line': 'seven' }),
    await answerTo(t, world, { 'Import-Run-Line': 'ignored without a run' }),
    await answerTo(t, world, { 'Import-Run': id, 'Import-Run-Line': '7' }),
  ]
  t.deepEqual(answers, [
    [404, 'import_run_does_not_exist'],
    [404, 'import_run_does_not_exist'],
    [400, 'request_failed_validation'],
    [400, 'request_failed_validation'],
    [201, ''],
    [200, ''],
  ])
  t.like(await world.client.importRun(id), { body: { counts: { staged: 1, created: 0 } } })
})
