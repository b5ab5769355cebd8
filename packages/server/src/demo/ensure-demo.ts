import type { OperatorRefusal, OperatorUseCases, PortFailure } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { readFile } from 'node:fs/promises'
import { dirname, resolve, join } from 'node:path'
import { databaseError } from '../start-error.js'
import { isFileError, writePrivateFile } from '../files/private-file.js'
import { shellWord } from '../program-name.js'

/** The demo as `--json` shows it; `null` where none was made. The key is there in the run that made it. */
export const demoJson = (demo: Demo | undefined) =>
  demo === undefined
    ? null
    : {
        organisation: demoData.organisation,
        import_supplier: demoData.importSupplier,
        operations_team: demoData.operationsTeam,
        api_key: demo.apiKey ?? null,
        api_key_file: demo.keyFile,
      }

const notMade = 'It holds organisations of its own, so no demo data was made.'

/** Where the service is, and where it explains itself. */
export const servingText = (address: string): string =>
  `Serving ${address} (stop with Ctrl-C). Documentation: ${address}/docs/`

/** The second terminal knows neither PORT nor DATA_DIR of the first one. */
const runDemo = (address: string, { keyFile }: Demo): string => {
  const folder = dirname(keyFile)
  const options = [
    ...(address === 'http://127.0.0.1:8080' ? [] : ['--url', address]),
    ...(folder === resolve('data') ? [] : ['--data', folder]),
  ]
  return ['npm run demo', ...(options.length === 0 ? [] : ['--', ...options.map(shellWord)])].join(' ')
}

/** The text of the demo: where it is, where the key lies, and what to do next. The key itself is no text for a screen. */
export const demoText = (address: string, demo: Demo | undefined): string =>
  demo === undefined
    ? `${servingText(address)}\n${notMade}`
    : `${servingText(address)}

API key of the demo: in ${demo.keyFile} (supplier ${demoData.importSupplier}, team '${demoData.operationsTeam}')
Next, in a second terminal: ${runDemo(address, demo)} (imports a thousand made-up accounts)
A CSV file of your own: ${address}/docs/tutorials/from-a-csv-export/`

/** Where the key lies. */
const demoKeyFile = (dataDir: string): string => join(dataDir, 'demo-api-key')

/** The key that an earlier run kept, so that a restart makes no other one. */
const readDemoKey = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(demoKeyFile(dataDir), 'utf8')).trim()
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) return undefined
    throw cause
  }
}

const writeDemoKey = (dataDir: string, apiKey: string): Promise<void> =>
  writePrivateFile(demoKeyFile(dataDir), `${apiKey}\n`)

/** The names that the demo works with; the samples name this supplier. */
const demoData = {
  organisation: 'DEMO',
  organisationName: 'Demo organisation',
  importSupplier: 'LEVANTE',
  operationsTeam: 'Demo team',
} as const

/**
 * The demo as made: an organisation with one supplier, a team, and a key, which lies in a file of its owner alone. `apiKey`:
 * the key itself, in the run that made it.
 */
export type Demo = Readonly<{ keyFile: string; apiKey?: string }>

type Step<A> = TaskEither<OperatorRefusal | PortFailure, A>

const refusedAs = (refusal: OperatorRefusal | PortFailure): Error =>
  refusal._tag === 'PortFailure'
    ? databaseError(refusal.cause)
    : new Error(`the demo data was refused: ${refusal._tag}`)

const made = async <A>(step: Step<A>): Promise<A> => {
  const outcome = await step()
  if (outcome._tag === 'Left') throw refusedAs(outcome.left)
  return outcome.right
}

/** A run that was interrupted may have made it already. */
const madeOrThere = async (step: Step<unknown>): Promise<void> => {
  const outcome = await step()
  if (outcome._tag === 'Left' && outcome.left._tag !== 'AlreadyExists') throw refusedAs(outcome.left)
}

/**
 * Makes the demo organisation with supplier, team and key, or finds what an earlier run made. Safe to run again
 * after an interruption at any point. `undefined`: the service has organisations of its own, so nothing is made.
 */
export const ensureDemo = async (operator: OperatorUseCases, dataDir: string): Promise<Demo | undefined> => {
  const { organisation: code, organisationName: name, importSupplier, operationsTeam } = demoData
  const organisations = await made(operator.listOrganisations())
  if (organisations.length > 0 && !organisations.some((each) => each.code === code)) return undefined
  await madeOrThere(operator.createOrganisation({ code, name }))
  await madeOrThere(operator.createSupplier({ code: importSupplier, organisation: code }))
  await madeOrThere(operator.createTeam(operationsTeam))
  const keyFile = demoKeyFile(dataDir)
  const kept = await readDemoKey(dataDir)
  const keys = await made(operator.listApiKeys())
  // The kept key may be of a database that was removed, or revoked.
  if (keys.some(({ id, revokedAt }) => revokedAt === undefined && kept?.startsWith(`aik_${id}_`)))
    return { keyFile }
  const { apiKey } = await made(operator.createApiKey({ organisation: code }))
  await writeDemoKey(dataDir, apiKey)
  return { keyFile, apiKey }
}
