import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { operations } from '../faults/hostile/contract.js'
import { inThread } from '../faults/hostile/service/service.js'
import { root } from '../support/repository.js'

const run = promisify(execFile)

const tool = join(root, 'tools/openapi')

/** The code of a client programmer. */
const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const [baseUrl = '', apiKey = '', supplier = '', team = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })

const query = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token expiresAt refreshToken refreshExpiresAt } }'
const obtained = await client.POST('/v1/graphql/', { body: { query, variables: { input: { apiKey } } } })
const token = obtained.data?.data?.obtainToken?.token ?? ''
client.use({
  onRequest: ({ request }) => {
    request.headers.set('Authorization', 'Token ' + token)
    return request
  },
})

const account: components['schemas']['Account'] = {
  ...(EXAMPLE),
  import_supplier: supplier,
  external_account_number: 'G-1',
}
const staged = await client.POST('/v1/data-import/account-import-process/create-or-update/', { body: account })
const processed = await client.POST('/v1/data-import/account-import-process/process/', {
  body: { external_account_number: 'G-1', import_supplier_code: supplier, operations_team_name: team },
})
const path = { import_supplier_code: supplier, external_account_number: 'G-1' }
const status = await client.GET(
  '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  { params: { path } },
)
const again = await client.POST('/v1/data-import/account-import-process/process/', {
  body: { external_account_number: 'G-1', import_supplier_code: supplier, operations_team_name: team },
})
// @ts-expect-error -- a status has no such field
void status.data?.nothing
// @ts-expect-error -- a team is needed
void (() => client.POST('/v1/data-import/account-import-process/process/', { body: { external_account_number: '' } }))
console.log(
  JSON.stringify([
    staged.response.status,
    processed.data?.platform_account_number,
    status.data?.status,
    status.data?.platform_account_number,
    again.error?.code,
  ]),
)
`

const configuration = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    skipLibCheck: true,
  },
  files: ['main.ts'],
}

test('a client that openapi-typescript generates from the document compiles and imports an account', async (t) => {
  await mkdir(join(tool, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(tool, 'dist', 'client-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const { stdout: types } = await run(process.execPath, [join(tool, 'client-types.mjs')], {
    maxBuffer: 10_000_000,
  })
  const example = JSON.stringify(operations.find(({ id }) => id === 'stageAccount')?.body?.example)
  await writeFile(join(folder, 'schema.ts'), types)
  await writeFile(join(folder, 'main.ts'), program.replace('EXAMPLE', example))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: unknown) => error)
  t.is((compiled as { stdout: string }).stdout, '')

  const service = await inThread()
  t.teardown(() => service.close())
  const { apiKey, suppliers, team } = service.facts
  const baseUrl = `http://127.0.0.1:${service.port}`
  const args = [baseUrl, apiKey, suppliers[0] ?? '', team]
  const { stdout } = await run(process.execPath, [join(folder, 'main.js'), ...args])
  const [staged, number, status, told, code] = JSON.parse(stdout) as readonly unknown[]
  t.deepEqual([staged, status, code], [201, 'COMPLETED', 'account_already_imported'])
  t.is(number, told)
  t.regex(String(number), /^A-/)
})
