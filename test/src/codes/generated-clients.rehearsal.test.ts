// Three generators run, and a compiler reads what they wrote: `open-api` checks the document itself at each push.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { inThread } from '../faults/hostile/service/service.js'
import { root } from '../support/repository.js'
import { sample } from '../support/samples.js'

const run = promisify(execFile)

const tool = join(root, 'tools/openapi')

const clients = ['openapi-typescript', 'hey-api', 'orval']

const configuration = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    skipLibCheck: true,
  },
  include: ['*.ts'],
}

/** The samples as accounts of this supplier, whose numbers begin with this prefix. */
const samplesOf = (supplier: string, prefix: string): object => {
  const of = (name: string) => {
    const payload = sample(`${name}.json`)
    const number = `${prefix}-${String(payload['external_account_number'])}`
    return { ...payload, import_supplier: supplier, external_account_number: number }
  }
  return {
    accounts: [of('gas-account'), of('electricity-account')],
    notes: of('notes'),
    transactions: of('transactions'),
    historicalStatements: of('historical-statements'),
    paymentInstruction: of('payment-instruction'),
  }
}

/** A literal, so that the compiler compares each field and each value with the generated types. */
const writeSamples = (file: string, type: string, samples: object): Promise<void> =>
  writeFile(
    file,
    `import type { Samples } from './${type}.js'\nexport const samples: Samples = ${JSON.stringify(samples)}\n`,
  )

/** The address of a Prism proxy before the service. */
const prismBefore = async (t: ExecutionContext, document: string, baseUrl: string): Promise<string> => {
  const prism = spawn(process.execPath, [join(tool, 'prism.mjs'), document, baseUrl])
  t.teardown(() => prism.kill('SIGKILL'))
  const [address] = (await Promise.race([once(prism.stdout, 'data'), once(prism.stderr, 'data')])) as [Buffer]
  t.regex(String(address), /^http:/)
  return String(address).trim()
}

test('generated clients and a Prism proxy compile strictly and create every sample', async (t) => {
  await mkdir(join(tool, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(tool, 'dist', 'clients-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await run(process.execPath, [join(tool, 'generate-clients.mjs'), folder])

  const service = await inThread()
  t.teardown(() => service.close())
  const { apiKey, suppliers, team } = service.facts
  const [supplier = ''] = suppliers
  for (const client of clients)
    await writeSamples(join(folder, `${client}.samples.ts`), client, samplesOf(supplier, client))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: unknown) => error)
  t.is((compiled as { stdout: string }).stdout, '')

  const baseUrl = `http://127.0.0.1:${service.port}`
  const created = [
    [
      ['COMPLETED', true],
      ['COMPLETED', true],
    ],
    ['NOTE_CREATION_SUCCESS'],
    ['TRANSACTION_ADDED_TO_ACCOUNT'],
    'sandbox-card-000123',
  ]
  const outcomeAt = async (address: string, client: string): Promise<unknown> => {
    const args = [join(folder, `${client}.js`), address, apiKey, supplier, team]
    return JSON.parse((await run(process.execPath, args)).stdout)
  }
  for (const client of clients) t.deepEqual(await outcomeAt(baseUrl, client), created, client)

  const prism = await prismBefore(t, join(folder, 'openapi.json'), baseUrl)
  const [client = ''] = clients
  const compiledSamples = JSON.stringify(samplesOf(supplier, 'prism'))
  await writeFile(join(folder, `${client}.samples.js`), `export const samples = ${compiledSamples}\n`)
  t.deepEqual(await outcomeAt(prism, client), created)
  const invalid = { ...sample('invalid-account.json'), import_supplier: supplier }
  const refused = await fetch(`${prism}/v1/data-import/validate-account/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Token none' },
    body: JSON.stringify(invalid),
  })
  t.is(refused.status, 422)
})
